(import (scheme base) (srfi 64) (caper tools) (NAME))

(test-begin "NAME")
(test-equal "nothing" 0 (count-words ""))
(test-equal "blanks around" 3 (count-words "  one two\nthree "))
(test-equal "a report" "2  a.md\n10  b.md\n" (report '(("a.md" . 2) ("b.md" . 10))))
(test-equal "a tool" '() (glob "no-such-*.md"))
(test-end "NAME")
