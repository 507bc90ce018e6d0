/**
 * How the server's bundles are written. Node keeps the text of all that it runs: without comments and blanks it is shorter, and a single
 * character that is not Latin would make each of its characters take two bytes. Names stay, so that a stack trace can be read.
 */
export const SERVER_OUTPUT = {
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
}
