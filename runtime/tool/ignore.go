package tool

const binaryPrefix = 8 << 10
