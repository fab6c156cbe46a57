(define-library (srfi 19)
  (import (caper prelude))
  (export
    make-date date? date-nanosecond date-second date-minute date-hour date-day date-month date-year date-zone-offset
    date-week-day date-year-day current-date date->julian-day date->modified-julian-day string->date date->string))
