import { operatorContentRoutes, type Upload } from '../../shared/api/content.ts'
import type { ErrorBody } from '../../shared/api/route.ts'
import { ApiError, apiUrl, NetworkError, shownAs } from '../api.ts'
import { isSessionOver } from '../errors.ts'
import { leave } from './leave.ts'

/** Progress is 0–100. */
export function uploadFile(file: File, onProgress: (percent: number) => void): Promise<Upload> {
  return new Promise((resolve, reject) => {
    // `fetch` can't report upload progress.
    const request = new XMLHttpRequest()
    request.open('POST', apiUrl(operatorContentRoutes.uploadFile))
    request.setRequestHeader('content-type', file.type)
    request.setRequestHeader('x-requested-with', 'presale')
    request.setRequestHeader('x-language', document.documentElement.lang || 'en')
    if (shownAs) request.setRequestHeader('x-shown-as', shownAs)
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(Math.floor((100 * loaded) / total)),
    )
    request.addEventListener('error', () => reject(new NetworkError(request.status)))
    request.addEventListener('load', () => {
      try {
        const answer: unknown = JSON.parse(request.responseText)
        if (request.status < 300) return resolve(answer as Upload)
        const failure = new ApiError(request.status, answer as ErrorBody)
        if (isSessionOver(failure)) leave(true)
        reject(failure)
      } catch (error) {
        reject(new NetworkError(request.status, error))
      }
    })
    request.send(file)
  })
}
