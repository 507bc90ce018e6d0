/** More specific names first, because Edge also calls itself Chrome and Safari. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]
/** Programs that do not pose as a browser: `curl/8.5.0`. */
const program = /^(?!Mozilla)([A-Za-z][\w.-]{1,29})\/\d/

/** Returns `Chrome, Linux` or `curl`, for example. */
export function deviceName(userAgent: string): string | undefined {
  const parts = [browsers, systems].flatMap(
    (known) => known.find(([sign]) => sign.test(userAgent))?.[1] ?? [],
  )
  return parts.length > 0 ? parts.join(', ') : program.exec(userAgent)?.[1]
}
