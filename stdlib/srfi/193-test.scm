(import (scheme base) (scheme write) (srfi 193))

(list (command-line) (command-name) (command-args)) => (("program" "one" "two") "program" ("one" "two"))
(parameterize ((command-line '("/usr/bin/foo.scm" "a" "b"))) (list (command-name) (command-args))) => ("foo" ("a" "b"))
(parameterize ((command-line '("foo.bar"))) (list (command-name) (command-args))) => ("foo.bar" ())
(parameterize ((command-line '(""))) (command-name)) => #f
(list (script-file) (script-directory)) => (#f #f)
(command-line 1) =raises> "argument"
(command-name 1) =raises> "takes no arguments"
(command-args 1) =raises> "takes no arguments"
(script-file 1) =raises> "takes no arguments"
(script-directory 1) =raises> "takes no arguments"
