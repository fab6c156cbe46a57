(import (scheme base) (scheme write) (srfi 19))

;; The clock of these tests stands at 1000000000.123456789 s.
(define (show t) (list (time-type t) (time-nanosecond t) (time-second t)))
(define (fields d) (map (lambda (f) (f d)) (list date-nanosecond date-second date-minute date-hour date-day date-month date-year date-zone-offset)))
(define u (make-time time-utc 5 1000000000))
(define tai (time-utc->time-tai u))
(define mono (time-utc->time-monotonic u))
(define d (make-date 5 40 46 1 9 9 2001 0))

;; ---- the clock ----
(list time-duration time-monotonic time-process time-tai time-thread time-utc) => (time-duration time-monotonic time-process time-tai time-thread time-utc)
(show (current-time)) => (time-utc 123456789 1000000000)
(show (current-time time-tai)) => (time-tai 123456789 1000000032)
(fields (current-date)) => (123456789 40 46 1 9 9 2001 0)
(fields (current-date 7200)) => (123456789 40 46 3 9 9 2001 7200)
(floor (current-julian-day)) => 2452161
(floor (current-modified-julian-day)) => 52161
(list (time-resolution) (time-resolution time-tai)) => (1 1)

;; ---- times ----
(list (time? u) (time? 5)) => (#t #f)
(let ((t (copy-time u))) (set-time-type! t time-tai) (set-time-nanosecond! t 1) (set-time-second! t 2) (list (show t) (show u))) => ((time-tai 1 2) (time-utc 5 1000000000))
(define a (make-time time-utc 10 1))
(define b (make-time time-utc 5 2))
(list (time<? a b) (time<=? a a) (time=? a b) (time=? a (copy-time a)) (time>? a b) (time>=? b a)) => (#t #t #f #t #f #t)
(show (time-difference b a)) => (time-duration 999999995 0)
(show (time-difference a b)) => (time-duration 5 -1)
(show (add-duration a (make-time time-duration 999999999 3))) => (time-utc 9 5)
(show (subtract-duration b (make-time time-duration 10 1))) => (time-utc 999999995 0)
(let ((t (copy-time b))) (time-difference! t a) (show t)) => (time-duration 999999995 0)
(let ((t (copy-time a))) (add-duration! t (make-time time-duration 0 1)) (show t)) => (time-utc 10 2)
(let ((t (copy-time a))) (subtract-duration! t (make-time time-duration 0 1)) (show t)) => (time-utc 10 0)

;; ---- dates ----
(list (date? d) (date? 5)) => (#t #f)
(fields d) => (5 40 46 1 9 9 2001 0)
(list (date-year-day d) (date-week-day d)) => (252 0)
(date-year-day (make-date 0 0 0 0 31 12 2000 0)) => 366
(map (lambda (day) (date-week-number (make-date 0 0 0 0 day 1 2001 0) 1)) '(1 7 8)) => (1 1 2)
(map (lambda (day) (date-week-number (make-date 0 0 0 0 day 1 2001 0) 0)) '(1 6 7 14)) => (0 0 1 2)

;; ---- conversions ----
(list (show tai) (show mono)) => ((time-tai 5 1000000032) (time-monotonic 5 1000000032))
(map show (list (time-tai->time-utc tai) (time-tai->time-monotonic tai) (time-monotonic->time-utc mono) (time-monotonic->time-tai mono)))
  => ((time-utc 5 1000000000) (time-monotonic 5 1000000032) (time-utc 5 1000000000) (time-tai 5 1000000032))
(map show (list (time-tai->time-utc! (copy-time tai)) (time-tai->time-monotonic! (copy-time tai)) (time-monotonic->time-utc! (copy-time mono))
  (time-monotonic->time-tai! (copy-time mono)) (time-utc->time-tai! (copy-time u)) (time-utc->time-monotonic! (copy-time u))))
  => ((time-utc 5 1000000000) (time-monotonic 5 1000000032) (time-utc 5 1000000000) (time-tai 5 1000000032) (time-tai 5 1000000032) (time-monotonic 5 1000000032))
(map show (list (date->time-utc d) (date->time-tai d) (date->time-monotonic d))) => ((time-utc 5 1000000000) (time-tai 5 1000000032) (time-monotonic 5 1000000032))
(map fields (list (time-utc->date u) (time-tai->date tai 3600) (time-monotonic->date mono -3600))) => ((5 40 46 1 9 9 2001 0) (5 40 46 2 9 9 2001 3600) (5 40 46 0 9 9 2001 -3600))
(define noon (make-date 0 0 0 12 1 1 2000 0))
(list (date->julian-day noon) (date->modified-julian-day noon)) => (2451545 103089/2)
(define n (date->time-utc noon))
(list (time-utc->julian-day n) (time-tai->julian-day (time-utc->time-tai n)) (time-monotonic->julian-day (time-utc->time-monotonic n))) => (2451545 2451545 2451545)
(list (time-utc->modified-julian-day n) (time-tai->modified-julian-day (time-utc->time-tai n)) (time-monotonic->modified-julian-day (time-utc->time-monotonic n))) => (103089/2 103089/2 103089/2)
(map fields (list (julian-day->date 2451545) (modified-julian-day->date 103089/2 3600))) => ((0 0 0 12 1 1 2000 0) (0 0 0 13 1 1 2000 3600))
(map show (list (julian-day->time-utc 2451545) (julian-day->time-tai 2451545) (julian-day->time-monotonic 2451545))) => ((time-utc 0 946728000) (time-tai 0 946728032) (time-monotonic 0 946728032))
(map show (list (modified-julian-day->time-utc 103089/2) (modified-julian-day->time-tai 103089/2) (modified-julian-day->time-monotonic 103089/2))) => ((time-utc 0 946728000) (time-tai 0 946728032) (time-monotonic 0 946728032))
;; The leap second of 1998, and what is around it.
(map (lambda (s) (date->string (time-tai->date (make-time time-tai 0 s)) "~4")) '(915148830 915148831 915148832))
  => ("1998-12-31T23:59:59Z" "1998-12-31T23:59:60Z" "1999-01-01T00:00:00Z")
(map (lambda (s) (time-second (date->time-tai (time-tai->date (make-time time-tai 0 s))))) '(915148830 915148831 915148832)) => (915148830 915148831 915148832)
(map (lambda (s) (- (time-second (time-utc->time-tai (make-time time-utc 0 s))) s)) '(0 63071999 63072000 1483228799 1483228800)) => (0 0 10 36 37)

;; ---- text ----
(date->string d) => "Sun Sep 09 01:46:40Z 2001"
(date->string d "~a|~A|~b|~B|~h|~d|~D|~e|~f|~H|~I|~j|~k|~l|~m|~M|~N|~p") => "Sun|Sunday|Sep|September|Sep|09|09/09/01| 9|40.000000005|01|01|252| 1| 1|09|46|000000005|AM"
(date->string d "~r|~s|~S|~T|~U|~V|~w|~W|~x|~X|~y|~Y|~z|~~|~1|~2|~3|~4|~5|~n|~t") => "01:46:40 AM|1000000000|40|01:46:40|36|36|0|36|09/09/01|01:46:40|01|2001|Z|~|2001-09-09|01:46:40Z|01:46:40|2001-09-09T01:46:40Z|2001-09-09T01:46:40|\n|\t"
(map (lambda (x) (date->string (apply make-date 0 0 0 0 x) "~V ~z")) '((1 1 2005 3600) (31 12 2008 -16200) (29 12 2014 0) (31 12 2020 0))) => ("53 +0100" "01 -0430" "01 Z" "53 Z")
(fields (string->date "2001-09-09 01:46:40 +0130" "~Y-~m-~d ~H:~M:~S ~z")) => (0 40 46 1 9 9 2001 5400)
(fields (string->date "Sunday, 9 sep 01" "~A, ~e ~b ~y")) => (0 0 0 0 9 9 2001 0)
(fields (string->date "~1 December 1999 at 5" "~~~d ~B ~Y at ~k")) => (0 0 0 5 1 12 1999 0)
(fields (string->date "2020-02-03T04:05:06Z" "~Y-~m-~dT~H:~M:~S~z")) => (0 6 5 4 3 2 2020 0)

;; ---- errors ----
(make-time 'a 0 0) =raises> "make-time: argument 1 must be a type of time: a"
(make-time time-utc 'a 0) =raises> "make-time: argument 2 must be an exact integer: a"
(current-time time-process) =raises> "current-time: there is no clock of this type: time-process"
(current-time time-thread) =raises> "there is no clock of this type: time-thread"
(current-date 'a) =raises> "current-date: argument 2 must be an offset in seconds: a"
(time-type 5) =raises> "must be a <time>"
(time-nanosecond 5) =raises> "must be a <time>"
(time-second 5) =raises> "must be a <time>"
(set-time-type! 5 time-utc) =raises> "must be a <time>"
(set-time-nanosecond! 5 1) =raises> "must be a <time>"
(set-time-second! 5 1) =raises> "must be a <time>"
(copy-time 5) =raises> "must be a <time>"
(time<? u tai) =raises> "these times are not of one type: time-utc time-tai"
(time<=? u 5) =raises> "must be a <time>"
(time=? u 5) =raises> "must be a <time>"
(time>? u 5) =raises> "must be a <time>"
(time>=? u 5) =raises> "must be a <time>"
(time-difference u tai) =raises> "these times are not of one type"
(time-difference! u 5) =raises> "must be a <time>"
(add-duration u u) =raises> "add-duration: argument 2 must be a time of type time-duration"
(add-duration! u u) =raises> "add-duration: argument 2 must be a time of type time-duration"
(subtract-duration u 5) =raises> "subtract-duration: argument 2 must be a time of type time-duration"
(subtract-duration! u 5) =raises> "subtract-duration: argument 2"
(date-week-number 5 0) =raises> "date"
(date->time-utc 5) =raises> "date"
(date->time-tai 5) =raises> "date"
(date->time-monotonic 5) =raises> "date"
(date->julian-day 5) =raises> "date"
(date->modified-julian-day 5) =raises> "date"
(julian-day->time-utc 'a) =raises> "julian-day->time-utc: argument 1 must be a number: a"
(julian-day->time-tai 'a) =raises> "must be a number: a"
(julian-day->time-monotonic 'a) =raises> "must be a number: a"
(julian-day->date 'a) =raises> "must be a number: a"
(modified-julian-day->time-utc 'a) =raises> "number"
(modified-julian-day->time-tai 'a) =raises> "number"
(modified-julian-day->time-monotonic 'a) =raises> "number"
(modified-julian-day->date 'a) =raises> "number"
(time-utc->date tai) =raises> "time-utc->date: argument 1 must be a time of type time-utc"
(time-utc->time-tai tai) =raises> "time-utc->time-tai: argument 1 must be a time of type time-utc"
(time-utc->time-tai! tai) =raises> "time-utc->time-tai: argument 1"
(time-utc->time-monotonic tai) =raises> "time-utc->time-monotonic: argument 1"
(time-utc->time-monotonic! tai) =raises> "time-utc->time-monotonic: argument 1"
(time-utc->julian-day tai) =raises> "time-utc->julian-day: argument 1"
(time-utc->modified-julian-day tai) =raises> "time-utc->modified-julian-day: argument 1"
(time-tai->date u) =raises> "time-tai->date: argument 1 must be a time of type time-tai"
(time-tai->time-utc u) =raises> "time-tai->time-utc: argument 1"
(time-tai->time-utc! u) =raises> "time-tai->time-utc: argument 1"
(time-tai->time-monotonic u) =raises> "time-tai->time-monotonic: argument 1"
(time-tai->time-monotonic! u) =raises> "time-tai->time-monotonic: argument 1"
(time-tai->julian-day u) =raises> "time-tai->julian-day: argument 1"
(time-tai->modified-julian-day u) =raises> "time-tai->modified-julian-day: argument 1"
(time-monotonic->date u) =raises> "time-monotonic->date: argument 1 must be a time of type time-monotonic"
(time-monotonic->time-utc u) =raises> "time-monotonic->time-utc: argument 1"
(time-monotonic->time-utc! u) =raises> "time-monotonic->time-utc: argument 1"
(time-monotonic->time-tai u) =raises> "time-monotonic->time-tai: argument 1"
(time-monotonic->time-tai! u) =raises> "time-monotonic->time-tai: argument 1"
(time-monotonic->julian-day u) =raises> "time-monotonic->julian-day: argument 1"
(time-monotonic->modified-julian-day u) =raises> "time-monotonic->modified-julian-day: argument 1"
(date->string d "~Q") =raises> "date->string: there is no such directive: #\\Q"
(date->string d "~") =raises> "date->string: the template ends in a tilde"
(date->string 5 "~Y") =raises> "must be a date"
(string->date "x" "~Y") =raises> "string->date: the text does not fit the template"
(string->date "2001-13-01" "~Y-~m-~d") =raises> "does not fit the template"
(string->date "2001" "~Y") =raises> "does not fit the template"
(string->date "2001-1-1 5" "~Y-~m-~d +~z") =raises> "does not fit the template"
(string->date "2001" "~Q") =raises> "string->date: there is no such directive: #\\Q"
(current-julian-day 1) =raises> "argument"
(current-modified-julian-day 1) =raises> "argument"
(make-date 0 0) =raises> "argument"
(date-nanosecond 5) =raises> "must be a date"
(date-second 5) =raises> "must be a date"
(date-minute 5) =raises> "must be a date"
(date-hour 5) =raises> "must be a date"
(date-day 5) =raises> "must be a date"
(date-month 5) =raises> "must be a date"
(date-year 5) =raises> "must be a date"
(date-zone-offset 5) =raises> "must be a date"
(date-year-day 5) =raises> "must be a date"
(date-week-day 5) =raises> "must be a date"
