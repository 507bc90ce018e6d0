import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

/** From a quiet machine's response time to what a visitor would not wait for. */
const BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx']

/**
 * By status class and duration, from the request head to the last byte handed over. Without event streams and
 * other hijacked responses.
 */
export function keepRequestMetrics(app: FastifyInstance, registry: Registry): void {
  const histogram = new Histogram({
    name: 'presale_http_request_seconds',
    help: 'Answers by the class of their status and the time that they took.',
    labelNames: ['status'],
    buckets: BOUNDS_SECONDS,
    registers: [registry],
  })
  // From the start each class has a rate of 0 instead of unknown.
  const classes = CLASSES.map((status) => histogram.labels({ status }))
  for (const status of CLASSES) histogram.zero({ status })
  app.addHook('onResponse', (_request, reply, done) => {
    classes[Math.floor(reply.statusCode / 100) - 1]?.observe(reply.elapsedTime / 1_000)
    done()
  })
}
