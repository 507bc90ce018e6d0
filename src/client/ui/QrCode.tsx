import { lazy, Suspense } from 'react'

// A separate chunk: the encoder is larger than most pages, which show no code.
const QrPicture = lazy(() => import('./QrPicture.tsx').then((part) => ({ default: part.QrPicture })))

/** The most characters that can still be scanned at 200 pixels. */
export const QR_CHARACTERS_MAX = 1_200

/** A QR code; its space is reserved while it loads. */
export function QrCode({ text, title, size = 140 }: { text: string; title: string; size?: number }) {
  return (
    <Suspense fallback={<div style={{ width: size, height: size }} className="rounded-sm bg-white" />}>
      <QrPicture text={text} title={title} size={size} />
    </Suspense>
  )
}
