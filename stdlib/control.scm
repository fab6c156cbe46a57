;; What compiled programs rely on: conditions, winds, parameters, promises, fork-join. Everything here may suspend, so it
;; is Scheme; the machine provides the cells of a fiber's dynamic state:
;;   0 winds, a list of #(before after handlers parameters), innermost first
;;   1 handlers, a list of procedures and guards, innermost first
;;   2 parameters, an alist
;;   3 the join that the fiber works for, or #f; what it is charged to is in there
(define-library (%support)
  (import (%syntax) (%primitive))
  (export
    %with-keywords %condition %fault %restarts! %guard %catch %parameterize %make-lazy %assert-failed
    apply values call-with-values
    call-with-current-continuation call/cc call/ec call-with-escape-continuation within-continuation
    dynamic-wind with-exception-handler raise raise-continuable error exit emergency-exit
    make-parameter make-promise force %policy-overlay
    %files %add-file! %save-port close-port %end-program %disown-files %need-procedure
    par-map parallel race sleep with-timeout timeout-error? with-budget %charge-call)
  (begin

    ;; ---- keyword arguments ----

    ;; Calls f with every parameter by its position: those that are not given are marked. Keywords may stand anywhere.
    (define (%with-keywords f name args required optional keys must rest? others?)
      (let loop ((l args) (n 0) (positional '()) (found '()) (more '()))
        (cond
          ((null? l)
           (%keywords-given name must found)
           (let* ((positional (%reverse positional '()))
                  (before (%positions name positional (+ required optional) (length positional) required rest?)))
             (apply f (append before
                              (%keyword-values keys found)
                              (if rest? (list (append (%after positional (+ required optional)) (%reverse more '()))) '())))))
          ((and (keyword? (car l)) (or (memq (car l) keys) others?) (pair? (cdr l)))
           (if (memq (car l) keys)
               (loop (cddr l) n positional (cons (cons (car l) (cadr l)) found) more)
               (loop (cddr l) n positional found (cons (cadr l) (cons (car l) more)))))
          ((and (keyword? (car l)) (pair? keys) (not rest?))
           (if (memq (car l) keys)
               (%raise-arity name (%shown (car l) " has no value"))
               (%raise-arity name (%shown "there is no " (car l) (if (null? keys) "" (%listed "; it takes" keys))))))
          (else (loop (cdr l) (+ n 1) (cons (car l) positional) found more)))))
    (define (%reverse l acc) (if (null? l) acc (%reverse (cdr l) (cons (car l) acc))))
    (define (%after l n) (if (or (= n 0) (null? l)) l (%after (cdr l) (- n 1))))
    (define (%positions name l wanted given required rest?)
      (cond ((< given required)
             (%raise-arity name (%shown given " arguments given, " required (if rest? " or more" "") " taken")))
            ((and (> given wanted) (not rest?))
             (%raise-arity name (%shown given " arguments given, at most " wanted " taken by position")))
            (else (let fill ((l l) (k wanted))
                    (cond ((= k 0) '())
                          ((null? l) (cons (%default) (fill '() (- k 1))))
                          (else (cons (car l) (fill (cdr l) (- k 1)))))))))
    (define (%keyword-values keys found)
      (if (null? keys) '()
          (let ((p (assq (car keys) found)))
            (cons (if p (cdr p) (%default)) (%keyword-values (cdr keys) found)))))
    (define (%keywords-given name must found)
      (cond ((null? must) #t)
            ((assq (car must) found) (%keywords-given name (cdr must) found))
            (else (%raise-arity name (%shown (car must) " is missing")))))
    (define (%raise-arity name what) (raise (%condition 'arity-error (string-append name ": " what) '())))
    (define (%shown . parts)
      (let loop ((l parts) (text ""))
        (if (null? l) text
            (loop (cdr l)
                  (string-append text (cond ((string? (car l)) (car l)) ((number? (car l)) (number->string (car l)))
                                            (else (string-append "#:" (keyword->string (car l))))))))))
    (define (%listed text keys)
      (if (null? keys) text (%listed (string-append text " " (%shown (car keys))) (cdr keys))))

    ;; ---- raising ----

    (define (raise-continuable obj)
      (let ((handlers (%state 1)))
        (if (null? handlers)
            (%uncaught obj)
            (let ((result (%handle (car handlers) (cdr handlers) obj)))
              (%set-state! 1 handlers)
              result))))

    (define (raise obj)
      (let ((handlers (%state 1)))
        (if (null? handlers)
            (%uncaught obj)
            (let ((result (%handle (car handlers) (cdr handlers) obj)))
              (if (%handles? handlers) ; the outer handlers see that this one returned
                  (raise (%condition 'handler-returned
                                     "the handler of an exception that is not continuable returned"
                                     (list obj))))
              (%set-state! 1 handlers)
              result))))

    ;; Guards do not return: where there are only those, a value is what was to be used where nothing caught the object.
    (define (%handles? handlers)
      (and (pair? handlers) (or (procedure? (car handlers)) (%handles? (cdr handlers)))))

    ;; A handler is a procedure or a guard, #(procedure depth winds parameters). A guard's procedure runs in the dynamic state
    ;; of the guard; it returns when no clause matches, and obj goes on to the outer handlers from where it was raised.
    (define (%handle handler outer obj)
      (%set-state! 1 outer)
      (if (procedure? handler)
          (handler obj)
          (let ((winds (%state 0)) (parameters (%state 2)))
            (%reroot (vector-ref handler 2))
            (%set-state! 1 outer)
            (%set-state! 2 (vector-ref handler 3))
            ((vector-ref handler 0) obj handler)
            (%reroot winds)
            (%set-state! 1 outer)
            (%set-state! 2 parameters)
            (raise-continuable obj))))

    ;; Nothing catches obj. The host may know what to do about it while all still stands: retry, to make the call again whose
    ;; answer it was, or (use . expression), to go on with a value. A script of a session knows itself, with thunks for values.
    (define %restarts '())
    (define (%restarts! answers) (set! %restarts answers))
    (define (%uncaught obj)
      (let ((call (%failed-call obj)))
        (cond
          ((pair? %restarts)
           (let ((answer (car %restarts)))
             (set! %restarts (cdr %restarts))
             (if (procedure? answer) (answer) (%again obj call))))
          ((and (%holds?) (not (%leaving?)))
           (let ((answer (%host '%uncaught obj call)))
             (cond
               ((eq? answer 'retry) (%again obj call))
               ((pair? answer) (%run-all (%host '%eval (cdr answer) 0)))
               (else (%die obj)))))
          (else (%die obj)))))
    (define (%again obj call) (if (pair? call) (apply %host call) (%die obj)))
    (define (%run-all procedures)
      (cond ((null? procedures) (if #f #f))
            ((null? (cdr procedures)) ((car procedures)))
            (else ((car procedures)) (%run-all (cdr procedures)))))

    ;; What the machine calls where an instruction or a primitive failed, or where an account is spent. A value that comes
    ;; back is what a failed instruction comes to.
    (define (%fault what) (if (vector? what) (%spent what 'fuel) (%deliver (raise what))))

    (define (%condition kind message irritants)
      (let ((c (%make-condition kind message irritants)))
        (%set-condition-trace! c (%backtrace))
        c))

    ;; (error "message" irritant …), also (error 'who "message" irritant …) and (error 'message irritant …).
    (define (error message . irritants)
      (raise
        (cond
          ((string? message) (%condition 'error message irritants))
          ((not (symbol? message)) (%condition 'error "error" (cons message irritants)))
          ((and (pair? irritants) (string? (car irritants)))
           (%condition 'error (string-append (symbol->string message) ": " (car irritants)) (cdr irritants)))
          (else (%condition 'error (symbol->string message) irritants)))))

    (define (%assert-failed form)
      (raise (%condition 'assertion "assertion failed" (list form))))

    (define (%need-procedure who n obj)
      (if (procedure? obj)
          #t
          (raise (%condition 'type-error
                             (string-append who ": argument " n " must be a procedure")
                             (list obj)))))

    (define (with-exception-handler handler thunk)
      (%need-procedure "with-exception-handler" "1" handler)
      (let ((outer (%state 1)))
        (%set-state! 1 (cons handler outer))
        (let ((result (thunk)))
          (%set-state! 1 outer)
          result)))

    ;; ---- winds and continuations ----

    (define call/ec call/cc)
    (define call-with-escape-continuation call/cc)

    (define (within-continuation k thunk)
      (%need-fiber k)
      (%reroot (%continuation-winds k))
      (%within k thunk))

    (define (%need-fiber k)
      (if (not (eq? (%continuation-fiber k) (%self)))
          (raise (%condition 'error "a continuation of another fiber cannot be entered" '()))))

    (define (dynamic-wind before thunk after)
      (before)
      (let ((outer (%state 0)))
        (%set-state! 0 (cons (vector before after (%state 1) (%state 2)) outer))
        (let ((result (thunk)))
          (%set-state! 0 outer)
          (after)
          result)))

    ;; before and after run in the dynamic state of their dynamic-wind.
    (define (%run-wind wind k outer)
      (%set-state! 0 outer)
      (%set-state! 1 (vector-ref wind 2))
      (%set-state! 2 (vector-ref wind 3))
      ((vector-ref wind k)))

    (define (%common a n b m)
      (cond
        ((eq? a b) a)
        ((< n m) (%common a n (cdr b) (- m 1)))
        ((< m n) (%common (cdr a) (- n 1) b m))
        (else (%common (cdr a) (- n 1) (cdr b) (- m 1)))))

    (define (%unwind-to common)
      (let ((winds (%state 0)))
        (if (not (eq? winds common))
            (begin
              (%run-wind (car winds) 1 (cdr winds))
              (%unwind-to common)))))

    (define (%wind-to winds common)
      (if (not (eq? winds common))
          (begin
            (%wind-to (cdr winds) common)
            (%run-wind (car winds) 0 (cdr winds))
            (%set-state! 0 winds))))

    (define (%reroot winds)
      (let ((here (%state 0)))
        (if (not (eq? here winds))
            (let ((common (%common here (length here) winds (length winds))))
              (%unwind-to common)
              (%wind-to winds common)))))

    ;; What the machine calls when a continuation is entered whose winds or fiber are not the current ones.
    (define (%throw k vals)
      (if (eq? (%continuation-fiber k) (%self))
          (%reroot (%continuation-winds k))
          (%leave-fiber k vals))
      (%continue k vals))

    (%set-throw! %throw)

    ;; ---- ends ----

    (define (%exit-code args)
      (cond
        ((null? args) 0)
        ((eq? (car args) #t) 0)
        ((eq? (car args) #f) 1)
        (else (car args))))

    (define (emergency-exit . args)
      (%host '%exit (%exit-code args))
      (%park))

    (define (exit . args)
      (%reroot '())
      (%close-files)
      (%host '%exit (%exit-code args))
      (%park))

    ;; What the machine calls with the value of a program that came to its end.
    (define (%end-program value)
      (%close-files)
      value)

    ;; ---- files ----

    ;; The output ports of files that are open, newest first, and some that are closed. A program that ends closes those
    ;; that it left open.
    (define %files '())
    (define %files-room 16)

    (define (%add-file! port)
      (set! %files (cons port %files))
      (set! %files-room (- %files-room 1))
      (if (= %files-room 0)
          (let ((open (%still-open %files)))
            (set! %files open)
            (set! %files-room (+ 16 (length open)))))
      port)
    (define (%still-open ports)
      (cond ((null? ports) '())
            ((output-port-open? (car ports)) (cons (car ports) (%still-open (cdr ports))))
            (else (%still-open (cdr ports)))))

    ;; Hands what a port collected since the last time to the file that it is for. What could not be written is still there.
    (define (%save-port port)
      (%need-port "flush-output-port" port)
      (let ((saved (%port-take! port)))
        (if saved
            (begin
              (with-exception-handler
                (lambda (obj) (%port-put-back! port saved) (raise-continuable obj))
                (lambda () ((%port-writer port) (car saved) (cdr saved))))
              #t))))

    (define (%need-port who obj)
      (if (not (port? obj))
          (raise (%condition 'type-error (string-append who ": argument 1 must be a port") (list obj)))))

    ;; What leaves a branch that was ended makes no calls: its files are closed when the program ends.
    (define (close-port port)
      (%need-port "close-port" port)
      (if (not (and (%port-writer port) (%leaving?)))
          (let ((saved (%port-take! port)))
            (%close-port port)
            (if saved ((%port-writer port) (car saved) (cdr saved))))))

    ;; All are tried before the first failure is raised; it ends the program.
    (define (%close-files)
      (let ((ports (%reverse (%still-open %files) '())))
        (set! %files '())
        (let loop ((l ports) (failure #f))
          (cond
            ((pair? l)
             (let ((obj (call/cc (lambda (k)
                          (with-exception-handler
                            (lambda (obj) (k (list obj)))
                            (lambda () (close-port (car l)) #f))))))
               (loop (cdr l) (or failure obj))))
            (failure (%set-state! 1 '()) (raise (car failure)))))))

    ;; A copy of the program leaves the files of the one that made it to that one.
    (define (%disown-files)
      (let loop ((l %files))
        (if (pair? l) (begin (%close-port (car l)) (loop (cdr l)))))
      (set! %files '()))

    ;; ---- parameters ----

    (define make-parameter
      (case-lambda
        ((value) (%make-parameter value #f))
        ((value converter) (%make-parameter (converter value) converter))))

    (define (%bind bindings env)
      (if (null? bindings)
          env
          (let ((p (car (car bindings))) (value (cdr (car bindings))))
            (if (not (%parameter? p))
                (raise (%condition 'type-error "parameterize: this is not a parameter" (list p))))
            (let ((converter (%parameter-converter p)))
              (let ((value (if converter (converter value) value)))
                (%bind (cdr bindings) (cons (cons p value) env)))))))

    (define (%parameterize bindings thunk)
      (let* ((outer (%state 2)) (inner (%bind bindings outer)))
        (%set-state! 2 inner)
        (let ((result (thunk)))
          (%set-state! 2 outer)
          result)))

    ;; What with-policy forms are around a call, innermost first. No program has a name for it: it could only loosen it.
    (define %policy-overlay (make-parameter '()))

    ;; ---- promises ----

    (define (%make-lazy thunk) (%make-promise #f thunk))

    (define (make-promise value)
      (if (promise? value) value (%make-promise #t value)))

    (define (force promise)
      (cond
        ((not (promise? promise)) promise)
        ((%promise-done? promise) (%promise-value promise))
        (else
          (let ((next ((%promise-value promise))))
            (if (not (%promise-done? promise))
                (if (promise? next)
                    (%promise-chain! promise next)
                    (%promise-set! promise #t next)))
            (force promise)))))

    ;; ---- fork and join ----

    ;; A join is #(owner results left outcome children enclosing account). The outcome is #f, or #(kind a b): value v, raise
    ;; obj, throw k values. Children run only while the owner is parked here. They are charged to the account, #f: to none.

    (define (%make-join n)
      (vector (%self) (make-vector n #f) n #f '() (%state 3) (%account)))
    (define (%account)
      (let ((join (%state 3))) (and (vector? join) (vector-ref join 6))))

    (define (%without x l)
      (cond ((null? l) '()) ((eq? (car l) x) (cdr l)) (else (cons (car l) (%without x (cdr l))))))

    ;; A child's last words: the first outcome counts, the siblings end at once. They leave what they were in.
    (define (%settle join outcome)
      (if (not (vector-ref join 3))
          (begin
            (vector-set! join 3 outcome)
            (%wake (vector-ref join 0) #t)
            (%end-branches (%without (%self) (vector-ref join 4)) '() join)))
      (%park))

    ;; The after thunks of fibers that were ended run here, in a state of their own: they make no host calls and begin no
    ;; fibers, so nothing else runs meanwhile, and what one raises ends only itself. They are charged to what the owner of
    ;; the join is charged to. The state is that of a join without an owner, with what is still to be left for results; it
    ;; is set first, since this fiber may descend from one that it ends.
    (define (%end-branches fibers own join)
      (let* ((account (vector-ref join 6))
             (outer (if (and account (eq? (vector-ref account 2) join)) (vector-ref account 1) account))
             (state (vector (eof-object) '() 0 #f '() #f outer)))
        (%set-state! 3 state)
        (vector-set! state 1 (append own (%kill fibers)))
        (let each ()
          (let ((left (vector-ref state 1)))
            (if (pair? left)
                (let ((winds (car left)))
                  (if (pair? winds)
                      (begin
                        (vector-set! state 1 (cons (cdr winds) (cdr left)))
                        (%leave-wind (car winds)))
                      (vector-set! state 1 (cdr left)))
                  (each)))))))
    (define (%leaving?)
      (let ((join (%state 3))) (and (vector? join) (eof-object? (vector-ref join 0)))))
    (define (%leave-wind wind)
      (call/cc
        (lambda (k)
          (%set-state! 1 (list (lambda (obj) (k #f))))
          (%set-state! 2 (vector-ref wind 3))
          ((vector-ref wind 1)))))

    (define (%child join settle f . args)
      (%set-state! 3 join)
      (%set-state! 1 (list (lambda (obj) (%child-failed join obj))))
      (settle join (apply f args)))

    ;; What an after thunk raises on the way out counts instead.
    (define (%child-failed join obj)
      (%set-state! 1 (list (lambda (obj) (%child-failed join obj))))
      (%reroot '())
      (%settle join (vector 'raise obj #f)))

    (define (%spawn-child join settle f . args)
      (let ((fiber (apply %spawn %child join settle f args)))
        (vector-set! join 4 (cons fiber (vector-ref join 4)))))

    ;; Waits for the children and answers what results makes of theirs, or goes where the outcome says.
    (define (%join join results)
      (if (> (vector-ref join 2) 0) (%park))
      (let ((outcome (vector-ref join 3)))
        (if (not outcome)
            (results (vector-ref join 1))
            (let ((kind (vector-ref outcome 0)))
              (%kill (vector-ref join 4))
              (cond
                ((eq? kind 'value) (vector-ref outcome 1))
                ((eq? kind 'raise) (raise (vector-ref outcome 1)))
                (else (apply (vector-ref outcome 1) (vector-ref outcome 2))))))))

    (define (%settle-slot i)
      (lambda (join result)
        (vector-set! (vector-ref join 1) i result)
        (let ((left (- (vector-ref join 2) 1)))
          (vector-set! join 2 left)
          (if (and (= left 0) (not (vector-ref join 3)))
              (%wake (vector-ref join 0) #t)))))

    (define (%settle-first join result)
      (%settle join (vector 'value result #f)))

    ;; Leaving a fiber for a continuation of one that waits for it: the join that waits passes it on.
    (define (%leave-fiber k vals)
      (let ((owner (%continuation-fiber k)))
        (let find ((join (%state 3)))
          (cond
            ((not (vector? join))
             (raise (%condition 'error "a continuation of another fiber cannot be entered" '())))
            ((eq? (vector-ref join 0) owner)
             (%reroot '())
             (%settle join (vector 'throw k vals)))
            (else (find (vector-ref join 5)))))))

    (define (%some-null? lists)
      (and (pair? lists) (or (null? (car lists)) (%some-null? (cdr lists)))))
    (define (%cars lists)
      (if (null? lists) '() (cons (car (car lists)) (%cars (cdr lists)))))
    (define (%cdrs lists)
      (if (null? lists) '() (cons (cdr (car lists)) (%cdrs (cdr lists)))))
    (define (%shortest lists)
      (let loop ((n (length (car lists))) (rest (cdr lists)))
        (if (null? rest) n (loop (min n (length (car rest))) (cdr rest)))))

    ;; (par-map f list …): the results in order; every application is a fiber of its own.
    (define (par-map f list1 . more)
      (%need-procedure "par-map" "1" f)
      (let* ((lists (cons list1 more)) (n (%shortest lists)) (join (%make-join n)))
        (let loop ((i 0) (lists lists))
          (if (< i n)
              (begin
                (apply %spawn-child join (%settle-slot i) f (%cars lists))
                (loop (+ i 1) (%cdrs lists)))))
        (%join join vector->list)))

    (define (parallel . thunks)
      (%need-thunks "parallel" 1 thunks)
      (par-map (lambda (thunk) (thunk)) thunks))
    (define (%need-thunks who n thunks)
      (if (pair? thunks)
          (begin
            (%need-procedure who (number->string n) (car thunks))
            (%need-thunks who (+ n 1) (cdr thunks)))))

    (define (race . thunks)
      (if (null? thunks)
          (raise (%condition 'error "race: there is nothing to run" '())))
      (%need-thunks "race" 1 thunks)
      (let ((join (%make-join 1)))
        (let loop ((thunks thunks))
          (if (pair? thunks)
              (begin
                (%spawn-child join %settle-first (car thunks))
                (loop (cdr thunks)))))
        (%join join values)))

    (define (%need-seconds who seconds)
      (if (not (and (real? seconds) (<= 0 seconds 1e9)))
          (raise (%condition 'type-error
                             (string-append who ": argument 1 must be a real number of seconds from 0 to a billion")
                             (list seconds)))))

    (define (%wait seconds)
      (%host '%timer (if (exact-integer? seconds) seconds (inexact seconds))))

    (define (with-timeout seconds thunk)
      (%need-seconds "with-timeout" seconds)
      (%need-procedure "with-timeout" "2" thunk)
      (race thunk
            (lambda ()
              (%wait seconds)
              (raise (%condition 'timeout "the time is over" (list seconds))))))

    ;; The time is on record: a program that is continued waits for the rest of it.
    (define (sleep seconds)
      (%need-seconds "sleep" seconds)
      (%wait seconds)
      (if #f #f))

    (define (timeout-error? obj) (%condition-of? obj 'timeout))

    ;; ---- budgets ----

    ;; An account is #(fuel outer join of-fuel calls of-calls): what is left, and how much there was, #f: any; the account
    ;; around it, or #f; the join of its with-budget. The machine charges fuel to it.

    (define (with-budget budget thunk)
      (%need-budget budget)
      (%need-procedure "with-budget" "2" thunk)
      (let* ((of (lambda (part) (let ((p (assq part budget))) (and p (cdr p)))))
             (fuel (of 'fuel)) (calls (of 'calls)) (seconds (of 'time))
             (join (%make-join 1)))
        (vector-set! join 6 (vector fuel (%account) join fuel calls calls))
        (%spawn-child join %settle-first thunk)
        (if seconds
            (%spawn-child join %settle-first
              (lambda ()
                (%wait seconds)
                (raise (%over-budget 'time seconds)))))
        (%join join values)))

    (define (%need-budget budget)
      (if (not (and (list? budget) (pair? budget) (%budget-parts? budget)))
          (raise (%condition 'type-error
                             "with-budget: argument 1 must be a list of one or more of (fuel . units), (time . seconds) and (calls . number), each once: exact integers, fuel from 1, calls from 0; seconds a real number from 0 to a billion"
                             (list budget)))))
    (define (%budget-parts? l)
      (or (null? l)
          (and (pair? (car l))
               (%budget-parts? (cdr l))
               (not (assq (car (car l)) (cdr l)))
               (let ((part (car (car l))) (n (cdr (car l))))
                 (cond ((eq? part 'fuel) (and (exact-integer? n) (<= 1 n %most-budget)))
                       ((eq? part 'calls) (and (exact-integer? n) (<= 0 n %most-budget)))
                       ((eq? part 'time) (and (real? n) (<= 0 n 1e9)))
                       (else #f))))))
    (define %most-budget 1000000000000000000)

    ;; What run-program raises where its program used up a budget.
    (define (%over-budget part n)
      (let* ((texts (cond ((eq? part 'fuel) '("fuel" " calls and loop turns"))
                          ((eq? part 'calls) '("calls of tools" ""))
                          (else '("time" " seconds"))))
             (c (%make-condition 'tool-error
                                 (string-append "with-budget: what ran in it used up its " (car texts) ", "
                                                (number->string n) (cadr texts))
                                 '()
                                 (list (cons 'code 'budget) (cons 'part part) (cons 'budget n)))))
        (%set-condition-trace! c (%backtrace))
        c))

    ;; Ends the branch that an account is of, wherever in it this fiber is.
    (define (%spent account part)
      (let* ((join (vector-ref account 2))
             (winds (%state 0))
             (more (if (%leaving?) (vector-ref (%state 3) 1) '())))
        (if (not (vector-ref join 3))
            (vector-set! join 3 (vector 'raise (%over-budget part (vector-ref account (if (eq? part 'fuel) 3 5))) #f)))
        (%wake (vector-ref join 0) #t)
        (%set-state! 0 '())
        (%end-branches (vector-ref join 4) (cons winds more) join)
        (%park)))

    ;; What goes before each call of a tool: it counts for all accounts that this fiber is charged to, unless one of them
    ;; has none left.
    (define (%charge-call)
      (let ((account (%account)))
        (if (and account (not (%leaving?)))
            (let ((spent (%out-of-calls account #f)))
              (if spent (%spent spent 'calls) (%count-call account))))))
    (define (%out-of-calls account found)
      (if account
          (%out-of-calls (vector-ref account 1) (if (eqv? 0 (vector-ref account 4)) account found))
          found))
    (define (%count-call account)
      (if account
          (begin
            (if (vector-ref account 4) (vector-set! account 4 (- (vector-ref account 4) 1)))
            (%count-call (vector-ref account 1)))))))
