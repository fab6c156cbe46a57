(import (scheme base) (scheme write) (srfi 151))

(map bitwise-not '(10 -37)) => (-11 36)
(bitwise-not 'a) =raises> "bitwise-not: argument 1"
(list (bitwise-and) (bitwise-and 10 12 8) (bitwise-and -1 5)) => (-1 8 5)
(bitwise-and 1 'a) =raises> "bitwise-and: argument 2"
(list (bitwise-ior) (bitwise-ior 3 10)) => (0 11)
(bitwise-ior 1 1.5) =raises> "bitwise-ior: argument 2"
(list (bitwise-xor) (bitwise-xor 3 10)) => (0 9)
(bitwise-xor 'a) =raises> "bitwise-xor: argument 1"
(list (bitwise-eqv) (bitwise-eqv 37 12) (bitwise-eqv 5)) => (-1 -42 5)
(bitwise-eqv 'a) =raises> "argument 2"
(bitwise-nand 11 26) => -11
(bitwise-nand 'a 1) =raises> "bitwise-and"
(bitwise-nor 11 26) => -28
(bitwise-nor 'a 1) =raises> "bitwise-ior"
(bitwise-andc1 11 26) => 16
(bitwise-andc1 'a 1) =raises> "bitwise-not"
(bitwise-andc2 11 26) => 1
(bitwise-andc2 1 'a) =raises> "bitwise-not"
(bitwise-orc1 11 26) => -2
(bitwise-orc1 'a 1) =raises> "bitwise-not"
(bitwise-orc2 11 26) => -17
(bitwise-orc2 1 'a) =raises> "bitwise-not"

(list (arithmetic-shift 8 2) (arithmetic-shift 4 0) (arithmetic-shift 8 -1) (arithmetic-shift -100000000000000000000000000000000 -100))
=> (32 4 4 -79)
(arithmetic-shift 1 'a) =raises> "arithmetic-shift: argument 2"
(map bit-count '(0 -1 7 13 -13 30 -30 256 -256)) => (0 0 3 3 2 4 4 1 8)
(bit-count 'a) =raises> "bit-count: argument 1"
(map integer-length '(0 1 -1 7 -7 8 -8)) => (0 1 0 3 3 4 3)
(integer-length 'a) =raises> "integer-length: argument 1"
(list (bitwise-if 3 1 8) (bitwise-if 3 8 1) (bitwise-if 1 1 2) (bitwise-if 60 62 15)) => (9 0 3 63)
(bitwise-if 'a 1 2) =raises> "bitwise"

(list (bit-set? 1 1) (bit-set? 0 1) (bit-set? 3 10) (bit-set? 1000000 -1) (bit-set? 2 6) (bit-set? 0 6)) => (#f #t #t #t #t #f)
(bit-set? -1 5) =raises> "bit-set?: argument 1"
(list (copy-bit 0 0 #t) (copy-bit 2 0 #t) (copy-bit 2 15 #f)) => (1 4 11)
(copy-bit -1 0 #t) =raises> "copy-bit: the field"
(list (bit-swap 0 2 4) (bit-swap 3 0 5)) => (1 12)
(bit-swap -1 0 5) =raises> "argument 1"
(list (any-bit-set? 3 6) (any-bit-set? 3 12)) => (#t #f)
(any-bit-set? 'a 1) =raises> "bitwise-and"
(list (every-bit-set? 4 6) (every-bit-set? 7 6)) => (#t #f)
(every-bit-set? 'a 1) =raises> "bitwise-and"
(map first-set-bit '(1 2 0 40 -28 -99)) => (0 1 -1 3 2 0)
(first-set-bit 'a) =raises> "must be a number"

(list (bit-field 202 0 1) (bit-field 202 1 2) (bit-field 202 1 9) (bit-field 202 4 9)) => (0 1 101 12)
(bit-field 1 2 1) =raises> "bit-field: the field must go from 0 or more upwards"
(list (bit-field-any? 90 1 3) (bit-field-any? 90 8 9)) => (#t #f)
(bit-field-any? 1 'a 2) =raises> "bit-field-any?: argument 2 must be an exact integer"
(list (bit-field-every? 90 3 5) (bit-field-every? 90 2 5)) => (#t #f)
(bit-field-every? 1 -1 2) =raises> "bit-field-every?"
(list (bit-field-clear 42 1 4) (bit-field-clear 255 0 8)) => (32 0)
(bit-field-clear 1 -1 2) =raises> "bit-field-clear"
(list (bit-field-set 42 1 4) (bit-field-set 0 2 4)) => (46 12)
(bit-field-set 1 -1 2) =raises> "bit-field-set"
(list (bit-field-replace 42 3 1 4) (bit-field-replace 6 1 0 1) (bit-field-replace 6 1 1 2)) => (38 7 6)
(bit-field-replace 1 2 -1 2) =raises> "bit-field-replace"
(list (bit-field-replace-same 6 1 0 1) (bit-field-replace-same 6 7 0 1)) => (7 7)
(bit-field-replace-same 1 2 -1 2) =raises> "bit-field-replace-same"
(list (bit-field-rotate 6 0 0 10) (bit-field-rotate 6 1 0 4) (bit-field-rotate 6 16 0 1) (bit-field-rotate 6 -1 0 4) (bit-field-rotate 7 1 2 2))
=> (6 12 6 3 7)
(bit-field-rotate 1 2 -1 2) =raises> "bit-field-rotate"
(list (bit-field-reverse 6 0 0) (bit-field-reverse 6 0 10) (bit-field-reverse 1 0 32)) => (6 384 2147483648)
(bit-field-reverse 1 -1 2) =raises> "bit-field-reverse"

(list (bits->list 6) (bits->list 6 2) (bits->list 6 5)) => ((#f #t #t) (#f #t) (#f #t #t #f #f))
(bits->list 'a) =raises> "integer-length: argument 1"
(list (list->bits '(#f #t #t)) (list->bits '())) => (6 0)
(list->bits 5) =raises> "list->bits: argument 1 must be a list"
(bits->vector 6 4) => #(#f #t #t #f)
(bits->vector 'a) =raises> "argument 1"
(vector->bits #(#f #t #t #f)) => 6
(vector->bits 5) =raises> "argument 1"
(list (bits #f #t #t) (bits)) => (6 0)

(bitwise-fold cons '() 6) => (#t #t #f)
(bitwise-fold cons '() 'a) =raises> "argument 1"
(let ((l '())) (bitwise-for-each (lambda (b) (set! l (cons b l))) 6) l) => (#t #t #f)
(bitwise-for-each list 'a) =raises> "argument 1"
(bitwise-unfold (lambda (i) (= i 10)) even? (lambda (i) (+ i 1)) 0) => 341
(bitwise-unfold 5 5 5 5) =raises> "5"
(let ((g (make-bitwise-generator 6))) (let* ((a (g)) (b (g)) (c (g)) (d (g))) (list a b c d))) => (#f #t #t #f)
(make-bitwise-generator 'a) =raises> "make-bitwise-generator: argument 1"
