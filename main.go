// Command caper is a Scheme whose programs are durable, licensed jobs.
package main

import (
	"os"

	"caper/runtime/command"
)

func main() { os.Exit(command.Main()) }
