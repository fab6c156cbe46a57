package compile

import (
	"strings"
	"testing"
)

// listings shows source beside the code of the procedure that matters: number 1, the first after the top level.
// Names of globals stand for slots.
var listings = []struct{ what, text, want string }{
	{"compare and branch, fused call and return", "(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))", `
fib (n) registers 7
jnlti r2 2 → 2
ret r2
callkaddi r3 r2 -1 #1 fib
callkaddi r4 r2 -2 #1 fib
addret r3 r3 r4`},
	{"inverted loop with a polled back edge", "(define (f n) (let loop ((i 0)) (if (< i n) (loop (+ i 1)) i)))", `
f (n) registers 4
loadi r3 0
jnlt r3 r2 → 4
addlt r3 r3 1
ljlt r3 r2 → 2
ret r3`},
	{"chains of arithmetic", "(define (f a b c) (if (< (+ (* a b) (* c c)) (* 2.0 a)) (- c (* a b)) (/ (* 2 (+ a b)) (sqrt c))))", `
f (a b c) registers 7
mul r5 r2 r3
muladd+ r6 r4 r4
add r5 r6 r5
loadw r6 2.0
mul+ r6 r6 r2
jnlt r5 r6 → 9
multosub+ r6 r2 r3
sub r5 r4 r6
ret r5
loadi r5 2
addmul+ r6 r2 r3
mul r5 r6 r5
sqrt+ r6 r4
div r5 r5 r6
ret r5`},
	{"a loop's large limit and a captured variable stay in registers", "(define (f n) (lambda (k) (let loop ((i 0)) (if (< i n) (loop (+ i n)) i))))", `
f (n) registers 4
closure r3 #2
capture r2
ret r3
halt
#2 - (k) registers 5 captures 1
loadi r3 0
free r4 free0
jnlt r3 r4 → 5
add r3 r3 r4
ljlt r3 r4 → 3
ret r3`},
	{"a procedure's call of itself in tail position", "(define (f a b) (if (null? a) b (f (cdr a) (cons (car a) b))))", `
f (a b) registers 6
jnnull r2 → 2
ret r3
car r5 r2
cons r3 r5 r3
cdr r2 r2
ljnnull r2 → 2
loop → 1`},
	{"swapped variables", "(define (f n) (let loop ((a 1) (b 2)) (if (= a n) b (loop b a))))", `
f (n) registers 6
loadi r3 1
loadi r4 2
jneq r3 r2 → 4
ret r4
move2 r5 r4 r4 r3
move r3 r5
ljneq r3 r2 → 4
loop → 3`},
	{"boxes for what closures share and change", "(define (f) (let ((n 0)) (lambda () (set! n (+ n 1)) n)))", `
f () registers 4
loadi r2 0
mkbox r2 r2
closure r3 #2
capture r2
ret r3
halt
#2 - () registers 3 captures 1
freebox r2 free0
addi r2 r2 1
freeboxset r2 free0
freebox r2 free0
ret r2`},
	{"no box where no call can come between", "(define (f x) (set! x (cdr x)) (car x))", `
f (x) registers 5
move r4 r2
cdr r2 r4
move r3 r2
car r3 r3
ret r3`},
	{"mutually recursive closures", "(define (f k) (define (a n) (cons k (b n))) (define (b n) (list k (a n))) (list a b))", `
f (k) registers 7
closure r3 #2 a
capture r2 r4
closure r4 #3 b
capture r2 r3
patch r3 free1 r4
loadw r6 ()
cons r6 r4 r6
cons r5 r3 r6
ret r5
halt
#2 a (n) registers 8 captures 2
free r4 free0
move r7 r2
free r5 free1
callc r5 (1) #3 b
cons r3 r4 r5
ret r3
halt
#3 b (n) registers 8 captures 2
free r4 free0
move r7 r2
free r5 free1
callc r5 (1) #2 a
loadw r6 ()
cons r6 r5 r6
cons r3 r4 r6
ret r3`},
	{"closed procedures are constants", "(define (f x) (define (g n) (if (= n 0) '() (cons n (g (- n 1))))) (g x))", `
f (x) registers 3
tcallk (1) #2 g
halt
#2 g (n) registers 7
jneqi r2 0 → 2
retw ()
callkaddi r4 r2 -1 #2 g
cons r3 r2 r4
ret r3`},
	{"known calls: the arguments of the last one go where it wants them", "(define (g x y z) (if (null? x) (+ z (g y (list z) x)) (h x z))) (define (h l k) (g (- k 1) l (car l)))", `
g (x y z) registers 11
jnnull r2 → 7
move r8 r3
loadw r10 ()
cons r9 r4 r10
move r10 r2
callk r6 (3) #1 g
addret r5 r4 r6
move r3 r2
car r5 r2
addi r2 r4 -1
move r4 r5
ljnnull r2 → 7
loop → 1
halt
#2 h (l k) registers 6
car r4 r2
move r5 r2
addi r2 r3 -1
move r3 r5
tcallk (3) #1 g`},
	{"a variable that may have no value is looked at", "(define (f n) (if (null? n) n (g n))) (define n (f 1)) (define (g n) (g (cdr n)))", `
f (n) registers 6
jnnull r2 → 2
ret r2
move r5 r2
tcallg r3 (1) g
halt
#2 g (n) registers 3
cdr r2 r2
loop → 0`},
	{"call/cc of what ends a procedure goes on in the same frame", "(define (f l) (call/cc (lambda (return) (if (null? l) (return 1) return))))", `
f (l) registers 7
cont r3
jnnull r2 → 5
loadi r6 1
move r4 r3
tcall r4 (1)
ret r3`},
	{"records: tests jump, types stay in registers while a loop runs", "(define t (%make-rtd 'p '#(x))) (define (f l) (let loop ((l l) (n 0)) (if (%record? (car l) t) (loop (cdr l) (+ n (%record-ref (car l) t 0 'x))) n)))", `
f (l) registers 9
move r3 r2
loadi r4 0
gref r5 t
car r6 r3
jnrec r6 r5 → 11
cdr r6 r3
car r8 r3
rref r7 r8 [1] r5
add r4 r4 r7
move r3 r6
loop → 3
ret r4`},
	{"labels that jump to each other", "(define (f n) (define (e i) (if (= i 0) 'even (o (- i 1)))) (define (o i) (if (= i 0) 'odd (e (- i 1)))) (e n))", `
f (n) registers 6
move r3 r2
jneqi r3 0 → 4
loadw r5 'even
ret r5
addi r4 r3 -1
jneqi r4 0 → 8
loadw r5 'odd
ret r5
addneqi r3 r4 -1
ljneqi r3 0 → 4
loop → 2`},
	{"case-lambda", "(define f (case-lambda ((a) a) ((a b) b)))", `
f (a) registers 3
ret r2
halt
#2 f (a b) registers 4
ret r3`},
	{"values in the middle of a test", "(define (f x) (if (or (null? x) (pair? (car x))) 1 2))", `
f (x) registers 4
jnull r2 → 3
car r3 r2
jnpair r3 → 4
reti 1
reti 2`},
	{"a comparison as a value", "(define (f x) (list (< x 5)))", `
f (x) registers 6
jnlti r2 5 → 3
loadw r4 #t
jmp → 4
loadw r4 #f
loadw r5 ()
cons r3 r4 r5
ret r3`},
	{"constants are computed", "(define (f) (if (< 1 2) (+ 1 2 (* 3 4)) (car '())))", `
f () registers 2
reti 15`},
	{"small procedures are opened", "(define (g p) (car p)) (define (f l) (cons (g l) (g (cdr l))))", `
g (p) registers 4
car r3 r2
ret r3
halt
#2 f (l) registers 6
car r3 r2
cdr r5 r2
car r4 r5
cons r3 r3 r4
ret r3`},
	{"a value that is read too early", "(define (f) (define x (list (lambda () x))) x)", `
f () registers 6
loadw r2 unbound
mkbox r2 r2
closure r4 #2
capture r2
loadw r5 ()
cons r3 r4 r5
boxset r2 r3 0
boxref r3 r2
ret r3
halt
#2 - () registers 3 captures 1
freebox r2 free0
ret r2`},
	{"eq? with the empty list and eqv? with a number", "(define (f x) (if (eq? x '()) (eqv? x 7) (equal? 'a x)))", `
f (x) registers 5
jnnull r2 → 4
loadi r4 7
eqp r3 r2 r4
ret r3
loadw r3 'a
eqp r3 r3 r2
ret r3`},
}

// squeeze drops columns, positions and the halt at the end of a listing.
func squeeze(s string) string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		line, _, _ = strings.Cut(line, "  ;")
		f := strings.Fields(line)
		if len(f) > 1 && f[0][0] >= '0' && f[0][0] <= '9' {
			f = f[1:]
		}
		out = append(out, strings.Join(f, " "))
	}
	return strings.TrimSuffix(strings.TrimSpace(strings.Join(out, "\n")), "\nhalt")
}

func TestListings(t *testing.T) {
	for _, c := range listings {
		w := newWorld(t)
		got := squeeze(strings.SplitN(w.listing(w.compile(t, c.text)), "\n#1 ", 2)[1])
		want := squeeze(c.want)
		if got != want {
			t.Errorf("%s: %s\n got:\n%s\nwant:\n%s", c.what, c.text, got, want)
		}
	}
}
