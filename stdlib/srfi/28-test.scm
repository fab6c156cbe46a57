(import (scheme base) (scheme write) (srfi 28))

(format "Hello, ~a" "World!") => "Hello, World!"
(format "Error, list is too short: ~s~%" '(one "two" 3)) => "Error, list is too short: (one \"two\" 3)\n"
(format "100~~ ~a" #\a) => "100~ a"
(format "~a") =raises> "format"
(format 'a) =raises> "format"
