#!/bin/sh
cd "$(dirname "$0")" && echo fixed >> fixes.txt
