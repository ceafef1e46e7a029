/**
 * The metrics of the process that sends to webhooks.
 */
import { durationBounds, Histogram, type Metric } from '../../base/metrics/metric.ts';
import type { Attempt } from '../delivery/attempt.ts';
import type { WorkerProgress } from './webhook-worker.ts';

/** How a webhook is, for metrics. */
export interface MeasuredWebhook extends WorkerProgress {
  readonly name: string;
  /** The end of the log. */
  readonly lastSeq: number;
}

/** Counts attempts. */
export interface SenderMetrics {
  add(name: string, attempt: Attempt): void;
  collect(webhooks: readonly MeasuredWebhook[]): Metric[];
}

/** Creates it. */
export function createSenderMetrics(): SenderMetrics {
  const counts = new Map<string, { readonly labels: Record<string, string>; value: number }>();
  const durations = new Histogram(durationBounds);
  return {
    add(webhook, { isDelivered, tookMs }) {
      const labels = { webhook, outcome: isDelivered ? 'delivered' : 'failed' };
      const key = JSON.stringify(labels);
      const count = counts.get(key) ?? { labels, value: 0 };
      count.value++;
      counts.set(key, count);
      durations.record(tookMs / 1000);
    },
    collect(webhooks) {
      const gauge = (name: string, help: string, value: (webhook: MeasuredWebhook) => number): Metric => ({
        name,
        help,
        type: 'gauge',
        combine: 'max',
        samples: webhooks.map((each) => ({ labels: { webhook: each.name }, value: value(each) })),
      });
      return [
        {
          name: 'colophon_webhook_attempts_total',
          help: 'Attempts to deliver changes to webhooks, by outcome.',
          type: 'counter',
          combine: 'sum',
          samples: [...counts.values()],
        },
        {
          name: 'colophon_webhook_attempt_duration_seconds',
          help: 'How long attempts to deliver changes to webhooks took.',
          type: 'histogram',
          bounds: durationBounds,
          samples: [durations.toSample({})],
        },
        gauge(
          'colophon_webhook_lag_changes',
          'Entries of the change log that a webhook has not passed yet.',
          ({ lastSeq, position }) => Math.max(0, lastSeq - position),
        ),
        gauge(
          'colophon_webhook_held_assets',
          'Assets whose changes are on hold for a webhook.',
          ({ held }) => held,
        ),
        gauge('colophon_webhook_failing', '1 while the receiver of a webhook fails.', ({ isFailing }) =>
          isFailing ? 1 : 0,
        ),
      ];
    },
  };
}
