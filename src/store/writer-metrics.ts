/**
 * The metrics of a writer that runs writes in batches.
 */
import { type Metric, toNumberMetric } from '../base/metrics/metric.ts';
import { batchBounds, type WriterLoad } from './store-load.ts';

/** Lists the metrics of a writer's load. */
export function toWriterMetrics({ waiting, batchSizes }: WriterLoad): Metric[] {
  return [
    toNumberMetric({
      name: 'colophon_writer_waiting',
      help: 'Writes that wait for the writer or are with it.',
      type: 'gauge',
      combine: 'sum',
      value: waiting,
    }),
    {
      name: 'colophon_writer_batch_size',
      help: 'Calls that the writer has run in one batch.',
      type: 'histogram',
      bounds: batchBounds,
      samples: [batchSizes],
    },
  ];
}
