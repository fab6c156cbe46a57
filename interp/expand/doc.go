// Package expand turns syntax trees into core forms: hygienic macros, binding resolution, libraries.
// No value of a running program and no instruction ever lives here. The compiler, the image builder and the
// embedding API may import it; it imports syntax only.
//
// The method is renaming. Every identifier that a macro's template introduces becomes a fresh *Alias, which remembers
// the identifier in the template and the scope of the macro's definition. Binding forms bind symbols and aliases alike;
// an alias that nobody bound means what its identifier means in its own scope. Quotation strips aliases.
//
// A body and a top level are expanded in two passes: the first expands the heads of the forms and declares what they
// define, the second expands the values. So later definitions and macros are visible in earlier procedures.
package expand
