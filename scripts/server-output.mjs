/**
 * The format of the server's bundles. Node keeps the source in memory, so comments and spaces are removed,
 * and it is ASCII, because any other character doubles its size. Names stay for readable stack traces.
 */
export const SERVER_OUTPUT = {
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
}
