(import (scheme base) (scheme write) (srfi 88))

(keyword? (string->keyword "foo")) => #t
(keyword? 'foo) => #f
(keyword? "foo") => #f
(keyword->string (string->keyword "foo")) => "foo"
(eq? (string->keyword "a") (string->keyword "a")) => #t
(keyword->string 'a) =raises> "keyword->string: argument 1 must be a keyword"
(string->keyword 'a) =raises> "string->keyword: argument 1 must be a string"
(eq? (string->keyword "a") (string->symbol "#:a")) => #f
(list (string->keyword "a") '|#:a|) => (#:a |#:a|)
(map symbol? (list (string->keyword "b") (string->symbol "#:b"))) => (#f #t)
