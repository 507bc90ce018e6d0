/**
 * The server's bundles: Node keeps the source in memory, so no comments and spaces, and ASCII, because any
 * other character doubles its size. Names stay for stack traces.
 */
export const SERVER_OUTPUT = {
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
}
