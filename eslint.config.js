// The rules that find real defects; how code looks is nobody's business here.
import js from "@eslint/js";
import globals from "globals";

const RULES = {
  "array-callback-return": "error",
  "consistent-return": "off", // tsc knows better
  "eqeqeq": "error",
  "no-constructor-return": "error",
  "no-eval": "error",
  "no-implicit-globals": "error",
  "no-implied-eval": "error",
  "no-promise-executor-return": "error",
  "no-self-compare": "error",
  "no-template-curly-in-string": "error",
  "no-throw-literal": "error",
  "no-undef": "error",
  "no-unmodified-loop-condition": "error",
  "no-unreachable-loop": "error",
  "no-unused-vars": ["error", { ignoreRestSiblings: true }],
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-var": "error",
  "prefer-const": "error",
  "radix": "error",
};

export default [
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" }, rules: RULES },
  { files: ["viz/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/**/*.js", "*.js"], languageOptions: { globals: globals.node } },
];
