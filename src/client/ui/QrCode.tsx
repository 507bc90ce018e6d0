import { lazy, Suspense } from 'react'

// The encoder is larger than most pages.
const QrPicture = lazy(() => import('./QrPicture.tsx').then((part) => ({ default: part.QrPicture })))

/** The most characters that can be scanned at 200 pixels. */
export const QR_CHARACTERS_MAX = 1_200

/** Its space is reserved while it loads. */
export function QrCode({ text, title, size = 140 }: { text: string; title: string; size?: number }) {
  return (
    <Suspense fallback={<div style={{ width: size, height: size }} className="rounded-sm bg-white" />}>
      <QrPicture text={text} title={title} size={size} />
    </Suspense>
  )
}
