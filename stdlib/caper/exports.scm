(export #%hash #%pregexp #%regexp * + - -1+ -> ->> ->string ... / 1+ 1- < <...> <= <> = => > >= _ abs access-condition
  acons acos add-between add1 alist->hash alist->hash-table alist-cons alist-copy alist-delete alist-ref alist-update
  and and-let* and=> andmap angle any append append! append* append-map append-map! append-reverse append-reverse!
  apply apply-map argmax argmin arithmetic-shift array-ref array-set! ash asin assert assertion-violation
  assertion-violation? assf assoc assoc-ref assoc-remove! assoc-set! assp assq assq-ref assq-remove! assq-set! assv
  assv-ref assv-remove! assv-set! atan await basename begin begin0 binary-port? bit-and bit-count bit-or bit-set?
  bit-xor bitwise-and bitwise-arithmetic-shift bitwise-arithmetic-shift-left bitwise-arithmetic-shift-right
  bitwise-bit-set? bitwise-ior bitwise-length bitwise-not bitwise-or bitwise-xor boolean=? boolean? box box? break
  build-list build-path build-string build-vector butlast bytes->string/utf-8 bytevector bytevector->list
  bytevector-append bytevector-copy bytevector-copy! bytevector-fill! bytevector-length bytevector-u8-ref
  bytevector-u8-set! bytevector? caaaar caaadr caaar caadar caaddr caadr caar cadaar cadadr cadar caddar cadddr caddr
  cadr call-with-current-continuation call-with-escape-continuation call-with-input-file call-with-input-string
  call-with-output-file call-with-output-string call-with-port call-with-string-output-port
  call-with-truncated-output-string call-with-values call/cc call/ec car car+cdr cartesian-product case case-lambda
  catch cdaaar cdaadr cdaar cdadar cdaddr cdadr cdar cddaar cddadr cddar cdddar cddddr cdddr cddr cdr ceiling
  char->digit char->integer char-alphabetic? char-alphanumeric? char-ascii? char-ci<=? char-ci<? char-ci=? char-ci>=?
  char-ci>? char-downcase char-foldcase char-lower-case? char-numeric? char-punctuation? char-ready? char-set
  char-set->list char-set-adjoin char-set-complement char-set-contains? char-set-difference char-set-intersection
  char-set-size char-set-union char-set:ascii char-set:blank char-set:digit char-set:empty char-set:full
  char-set:hex-digit char-set:letter char-set:letter+digit char-set:lower-case char-set:punctuation char-set:symbol
  char-set:upper-case char-set:whitespace char-set? char-symbolic? char-titlecase char-upcase char-upper-case?
  char-whitespace? char<=? char<? char=? char>=? char>? char? check-duplicates circular-list? close-input-port
  close-output-port close-port combinations command-line complement complex? compose compose1 conc concatenate cond
  cond-expand condition-case condition-data condition-irritants condition-kind condition-message
  condition-report-string condition/report-string condition? conjoin cons cons* cons-stream const constantly copy-file
  cos count cube current-continuation-marks current-date current-error-port current-inexact-milliseconds
  current-input-port current-jiffy current-milliseconds current-output-port current-second current-seconds
  current-time curry curryr cut cute date->julian-day date->julian-day-number date->modified-julian-day date->seconds
  date->string date-day date-display-string date-fields->seconds date-hour date-minute date-month date-nanosecond
  date-second date-week-day date-year date-year-day date-zone-offset date? declare default-object? define define*
  define-constant define-inline define-integrable define-library define-module define-public define-record
  define-record-type define-struct define-structure define-syntax define-syntax-rule define-values define/contract
  del-assoc del-assq del-assv delay delay-force delete delete! delete-duplicates delete-duplicates! delete-file
  denominator dict->list dict-count dict-has-key? dict-keys dict-ref dict-remove dict-remove! dict-set dict-set!
  dict-update dict-update! dict-values digit->char digit-value directory-exists? directory-list dirname disjoin
  display display-lines display-lines-to-file display-to-file display-to-string displayln div div-and-mod do dolist
  dotimes dotted-list? drop drop-right drop-right! drop-while dropf dynamic-wind eighth else emergency-exit empty
  empty-stream? empty? environment eof-object eof-object? eprintf eq-hash eq? equal-hash equal? eqv-hash eqv? error
  error-irritants error-message error-message-string error-object-irritants error-object-message error-object? error?
  eval eval-when even? every exact exact->inexact exact-ceiling exact-floor exact-integer-sqrt exact-integer?
  exact-nonnegative-integer? exact-positive-integer? exact-rational? exact-round exact-truncate exact?
  except-last-pair except-last-pair! exception-irritants exception-kind exception-message exception-with-irritants?
  exception-with-message? exception? exists exit exn-message exn:break? exn:fail exn:fail:contract:arity?
  exn:fail:contract:divide-by-zero? exn:fail:contract? exn:fail:filesystem? exn:fail:user exn:fail:user? exn:fail?
  exn? exp export expt false false-if-exception features fifth file->lines file->string file->string-list file-error?
  file-exists? file-name-from-path filter filter! filter-map filter-not find find-tail findf finite? first fixnum?
  flatten flip flonum? floor floor->exact floor-quotient floor-remainder floor/ fluid-let flush-output-port fold
  fold-left fold-matches fold-right foldl foldr for for* for*/and for*/first for*/fold for*/hash for*/list for*/lists
  for*/or for*/sum for*/vector for-all for-each for-each-with-index for/and for/append for/first for/fold for/hash
  for/hasheq for/hasheqv for/last for/list for/lists for/or for/product for/set for/string for/sum for/vector force
  format format-time fourth fprintf frequencies fresh-line gc gcd generate-uninterned-symbol generator gensym
  get-environment-variable get-environment-variables get-line get-output-bytevector get-output-string get-string-all
  group-by guarantee guard handle-exceptions hash hash->list hash-clear! hash-copy hash-count hash-empty? hash-filter
  hash-fold hash-for-each hash-get-handle hash-has-key? hash-keys hash-map hash-map->list hash-ref hash-ref!
  hash-remove hash-remove! hash-set hash-set! hash-set* hash-table hash-table->alist hash-table-clear!
  hash-table-clone hash-table-contains? hash-table-copy hash-table-count hash-table-delete! hash-table-empty?
  hash-table-exists? hash-table-find hash-table-fold hash-table-for-each hash-table-get hash-table-intern!
  hash-table-keys hash-table-length hash-table-map! hash-table-map->list hash-table-mutable? hash-table-pop!
  hash-table-prune! hash-table-push! hash-table-put! hash-table-ref hash-table-ref! hash-table-ref/default
  hash-table-remove! hash-table-set! hash-table-size hash-table-union! hash-table-update! hash-table-update!/default
  hash-table-values hash-table-walk hash-table/count hash-table/datum-list hash-table/get hash-table/key-list
  hash-table/put! hash-table/remove! hash-table? hash-union hash-update hash-update! hash-values hash? hasheq hasheqv
  hashq-get-handle hashq-ref hashq-ref/default hashq-remove! hashq-set! hashtable-clear! hashtable-contains?
  hashtable-copy hashtable-delete! hashtable-entries hashtable-keys hashtable-ref hashtable-set! hashtable-size
  hashtable-update! hashtable-values hashtable? hashv-ref hashv-remove! hashv-set! identity if if-let if-not
  ignore-errors imag-part import in-cycle in-dict in-directory in-generator in-hash in-hash-keys in-hash-pairs
  in-hash-values in-indexed in-lines in-list in-naturals in-parallel in-producer in-range in-sequences in-set
  in-string in-value in-vector include include-ci index-of index-where indexes-of indexes-where inexact inexact->exact
  inexact? infinite? input-port-open? input-port? integer->char integer-length integer-sqrt integer?
  interaction-environment intern intersperse iota irregex irregex-extract irregex-match irregex-match-data?
  irregex-match-end-index irregex-match-start-index irregex-match-substring irregex-quote irregex-replace
  irregex-replace/all irregex-search irregex-split irregex? irritants-condition? jiffies-per-second job-result
  job-wait join jsexpr->string json->scheme json->scm json->string json-null json-string->scheme json-string->scm
  keyword->string keyword->symbol keyword? lambda lambda* last last-pair lcm length length+ let let* let*-values
  let-optionals let-optionals* let-syntax let-values let/cc let/ec let1 letrec letrec* letrec-syntax list list*
  list->bytevector list->char-set list->set list->string list->vector list-copy list-head list-index list-matches
  list-prefix? list-ref list-search-positive list-set list-set! list-sort list-stable-sort list-tabulate list-tail
  list-update list? load log logand logbit? logcount logior lognot logxor lset-adjoin lset-difference
  lset-intersection lset-union lset-xor lset<= lset= magnitude make-array make-bytevector make-date make-directory
  make-directory* make-eq-hash-table make-eq-hashtable make-equal-hash-table make-eqv-hash-table make-eqv-hashtable
  make-exn:fail make-exn:fail:user make-hash make-hash-table make-hasheq make-hasheqv make-hashtable
  make-immutable-hash make-immutable-hasheq make-initialized-list make-initialized-vector make-key-weak-eqv-hash-table
  make-list make-parameter make-pathname make-polar make-promise make-random-state make-rectangular make-regexp
  make-string make-string-hash-table make-strong-eq-hash-table make-strong-eqv-hash-table make-vector map
  map-with-index match match* match-define match-lambda match-lambda* match-lambda** match-let match-let* match:count
  match:end match:prefix match:start match:string match:substring match:suffix max member memf memp memq memv
  merge-sort message-condition? min mkdir mod module module* module+ modulo mutable-set named-lambda nan? natural?
  negate negative? newline ninth non-empty-string? not not-pair? null-environment null-list? null?
  number->padded-string number->string number? numerator object->string odd? open-binary-input-file
  open-binary-output-file open-file open-input-bytevector open-input-file open-input-string open-output-bytevector
  open-output-file open-output-string open-string-input-port or ormap output-port-open? output-port? pa$ pair? par-map
  parallel parameterize parse-time partial partition partition! partition-by path->string path-basename path-directory
  path-dirname path-extension path-only path-replace-extension path-sans-extension pathname-directory
  pathname-extension pathname-file pathname-strip-directory pathname-strip-extension peek-char peek-u8 permutations pi
  port->lines port->list port->string port? positive? pp pregexp pregexp? pretty-print print printf procedure?
  promise? proper-list? provide put-string quasiquote quote quotient quotient/remainder race raise
  raise-argument-error raise-continuable raise-exception raise-user-error random random-choice random-integer
  random-real random-seed! range rational? rationalize read read-bytevector read-bytevector! read-char read-error?
  read-from-string read-json read-line read-lines read-string read-u8 real->decimal-string real-part real-time real?
  receive record->list record-type record-type-fields record-type-name record? reduce reduce-left reduce-right regexp
  regexp-exec regexp-extract regexp-match regexp-match* regexp-match-exact? regexp-match-positions
  regexp-match-positions* regexp-match-submatch regexp-match-submatch-end regexp-match-submatch-start regexp-match?
  regexp-matches regexp-matches? regexp-quote regexp-replace regexp-replace* regexp-replace-all regexp-search
  regexp-split regexp-substitute regexp-substitute/global regexp/extended regexp/icase regexp/newline regexp?
  remainder remf remf* remove remove! remove* remove-duplicates remp remq remv rename-file rename-file-or-directory
  require require-extension rest reverse reverse! reverse-list->string reverse-list->vector reverse-vector->list rlet1
  round round->exact runtime scandir scheme->json scheme->json-string scheme-report-environment scm->json
  scm->json-string second seconds->date seconds->date-fields sequence->list set set! set->list set-add set-add!
  set-box! set-car! set-cdr! set-count set-empty? set-intersect set-member? set-remove set-remove! set-subtract
  set-union setlocale seventh sgn shift-left shift-right shuffle simple-format sin sixth sleep sort sort! sort-by span
  split-at split-at-right sprintf sqr sqrt square sre->regexp stable-sort stream->list stream-car stream-cdr
  stream-filter stream-first stream-for-each stream-head stream-map stream-nil stream-null? stream-pair? stream-ref
  stream-rest stream-tail string string->bytes/utf-8 string->char-set string->date string->irregex string->jsexpr
  string->json string->keyword string->list string->number string->path string->regexp string->symbol
  string->uninterned-symbol string->utf8 string->vector string-any string-append string-append* string-append-map
  string-capitalize string-chop string-ci-hash string-ci<=? string-ci<? string-ci=? string-ci>=? string-ci>?
  string-concatenate string-contains string-contains-ci string-contains-right string-contains? string-copy
  string-copy! string-count string-delete string-downcase string-drop string-drop-right string-every string-fill!
  string-filter string-find-first-index string-find-next-char string-fold string-fold-right string-foldcase
  string-for-each string-for-each-index string-hash string-head string-index string-index-right string-intersperse
  string-join string-joiner string-joiner* string-length string-lines string-map string-match string-normalize-spaces
  string-null? string-pad string-pad-left string-pad-right string-prefix-ci? string-prefix-length string-prefix?
  string-ref string-repeat string-replace string-replace-all string-replace-first string-replace-substring
  string-reverse string-rindex string-search-all string-search-backward string-search-forward string-set! string-skip
  string-skip-right string-split string-splitter string-suffix-ci? string-suffix? string-tabulate string-tail
  string-take string-take-right string-titlecase string-tokenize string-translate string-translate* string-trim
  string-trim-both string-trim-left string-trim-right string-upcase string<=? string<? string=? string>=? string>?
  string? struct struct-copy sub1 sublist subset? substring substring-index substring? subvector symbol->keyword
  symbol->string symbol-append symbol<? symbol=? symbol? syntax-error syntax-rules take take! take-right take-while
  takef tan tenth textual-port? the-empty-stream third throw thunk time timeout-error? touch true truncate
  truncate-quotient truncate-remainder truncate/ u8-list->bytevector u8-ready? ucs-range->char-set unbox unfold
  unfold-right unless unquote unquote-splicing until unzip2 use use-modules utf8->string utf8->string/lossy values
  vector vector->list vector->string vector->values vector-any vector-append vector-argmax vector-argmin
  vector-binary-search vector-concatenate vector-copy vector-copy! vector-count vector-drop vector-every vector-fill!
  vector-filter vector-first vector-fold vector-for-each vector-grow vector-head vector-index vector-last
  vector-length vector-map vector-map! vector-member vector-ref vector-reverse! vector-set! vector-sort vector-sort!
  vector-swap! vector-tabulate vector-tail vector-take vector? void void? wait when when-let while with-budget
  with-exception-handler with-handlers with-handlers* with-input-from-file with-input-from-string with-output-to-file
  with-output-to-string with-timeout with-values within-continuation write write-bytevector write-char write-json
  write-line write-shared write-simple write-string write-to-string write-u8 writeln x->number x->string xcons yield
  zero? zip ~> ~>> ~a ~r ~s ~v
  (rename lambda ^)
  (rename lambda λ))
