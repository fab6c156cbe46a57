(import (scheme base) (scheme write) (srfi 23))

(error "no fruit" 'apple 7) =raises> "no fruit: apple 7"
(guard (e (#t (list (error-object-message e) (error-object-irritants e)))) (error "m" 1 "two")) => ("m" (1 "two"))
