import { lazy, Suspense } from 'react'

// The picture is a chunk of its own, because the encoder weighs more than the page around it and most pages show no code.
const QrPicture = lazy(() => import('./QrPicture.tsx').then((part) => ({ default: part.QrPicture })))

/** More than that, and a code of some 200 pixels can't be scanned. */
export const QR_CHARACTERS_MAX = 1_200

/** A code to scan; its place is kept while it is fetched. */
export function QrCode({ text, title, size = 140 }: { text: string; title: string; size?: number }) {
  return (
    <Suspense fallback={<div style={{ width: size, height: size }} className="rounded-sm bg-white" />}>
      <QrPicture text={text} title={title} size={size} />
    </Suspense>
  )
}
