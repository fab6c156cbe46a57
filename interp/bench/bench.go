// Package bench holds the programs by which the engine's speed is compared: Scheme, and the same in Lua and JavaScript
// where those can say it. Each defines once, what once must answer, and how many rounds make a measurement. It is data;
// the comparison itself is a module of its own, so that no peer becomes a dependency.
package bench

// Check, appended to a program, runs its rounds; the value is ok when every answer was right.
const Check = `
(let loop ((i 1))
  (let ((r (once)))
    (cond ((not (equal? r answer)) (list 'wrong r))
          ((< i rounds) (loop (+ i 1)))
          (else 'ok))))
`
