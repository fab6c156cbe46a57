(import (scheme base) (scheme write) (srfi 98))

(map get-environment-variable '("HOME" "CAPER")) => ("/home" #f)
(get-environment-variable) =raises> "takes 1 argument"
(get-environment-variables) => (("HOME" . "/home"))
(get-environment-variables 1) =raises> "takes no arguments"
