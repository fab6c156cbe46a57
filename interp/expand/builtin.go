package expand

// This file lists all syntax that is built in.

func builtinForms() []*form {
	return []*form{
		{name: "quote", expr: exprQuote},
		{name: "quasiquote", expr: exprQuasiquote},
		{name: "lambda", expr: exprLambda},
		{name: "lambda*", expr: exprLambda},
		{name: "named-lambda", expr: exprNamedLambda},
		{name: "case-lambda", expr: exprCaseLambda},
		{name: "if", expr: exprIf},
		{name: "set!", expr: exprSet},
		{name: "begin", expr: exprBegin, define: defineBegin},

		{name: "let", expr: exprLet},
		{name: "let*", expr: exprLetStar},
		{name: "letrec", expr: exprLetrec},
		{name: "letrec*", expr: exprLetrec},
		{name: "let-values", expr: exprLetValues},
		{name: "let*-values", expr: exprLetStarValues},
		{name: "receive", expr: exprReceive},
		{name: "do", expr: exprDo},
		{name: "while", expr: exprWhile},
		{name: "until", expr: exprWhile},
		{name: "dotimes", expr: exprDotimes},

		{name: "cond", expr: exprCond},
		{name: "case", expr: exprCase},
		{name: "when", expr: exprWhen},
		{name: "unless", expr: exprWhen},
		{name: "and", expr: exprAnd},
		{name: "or", expr: exprOr},

		{name: "delay", expr: exprDelay},
		{name: "delay-force", expr: exprDelayForce},
		{name: "cons-stream", expr: exprConsStream},
		{name: "parameterize", expr: exprParameterize},
		{name: "fluid-let", expr: exprFluidLet},
		{name: "guard", expr: exprGuard},
		{name: "assert", expr: exprAssert},
		{name: "%where", expr: exprWhere},
		{name: "let/ec", expr: exprLetEscape},
		{name: "let/cc", expr: exprLetEscape},
		{name: "begin0", expr: exprBegin0},

		{name: "define", define: defineDefine},
		{name: "define*", define: defineDefine},
		{name: "define-values", define: defineValues},
		{name: "define-record-type", define: defineRecordType},
		{name: "struct", define: defineStruct},
		{name: "define-struct", define: defineStruct},
		{name: "define-structure", define: defineStruct},
		{name: "define-syntax", define: defineSyntax},
		{name: "define-syntax-rule", define: defineSyntaxRule},
		{name: "let-syntax", expr: exprLetSyntax},
		{name: "letrec-syntax", expr: exprLetSyntax},
		{name: "syntax-rules", expr: exprSyntaxRules},
		{name: "syntax-error", expr: exprSyntaxError},

		{name: "include", expr: exprInclude, define: defineInclude},
		{name: "include-ci", expr: exprInclude, define: defineInclude},
		{name: "cond-expand", expr: exprCondExpand, define: defineCondExpand},
		{name: "import", define: defineImport},
		{name: "define-library", define: defineLibrary},
		{name: "use-modules", define: defineUseModules},
		{name: "require", define: defineUseModules},
		{name: "provide", define: defineNothing},

		{name: "else"}, {name: "=>"}, {name: "..."}, {name: "_"},
		{name: "unquote"}, {name: "unquote-splicing"},
	}
}
