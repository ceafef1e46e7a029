/** `verifyWebhook` of the client, with messages that the npm package `standardwebhooks` has signed. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { isEventOf, verifyWebhook, WebhookSignatureError } from '../../../src/client/webhook.ts';
import { signMessage } from '../../../src/webhooks/sign-message.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = JSON.stringify({
  type: 'asset.update',
  timestamp: '2026-11-22T09:30:00.000Z',
  data: { seq: 7, id: 'x', type: 'com.example.news.Article', action: 'update', asset: { headline: 'Ä' } },
});
const headersOf = (sentAt = new Date(), secrets = [secret]) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
  'webhook-signature': secrets.map((each) => new Webhook(each).sign('msg_1', sentAt, body)).join(' '),
});

describe('verifyWebhook', () => {
  it('returns the event of a message with a valid signature, and its type narrows it', async () => {
    const event = await verifyWebhook({ body, headers: headersOf(), secret });
    expect(event).toEqual(JSON.parse(body));
    expect([
      isEventOf(event, 'com.example.news.Article'),
      isEventOf(event, 'com.example.news.Author'),
    ]).toEqual([true, false]);
    const rotated = new Headers(headersOf(new Date(), [other, secret]));
    expect(await verifyWebhook({ body, headers: rotated, secret })).toEqual(event);
    const test = { type: 'webhook.test', timestamp: '', data: { webhook: 'a' } } as const;
    expect(isEventOf(test, 'com.example.news.Article')).toBe(false);
  });

  it('accepts what the server signs', async () => {
    const sentAtSeconds = Math.floor(Date.now() / 1000);
    const headers = signMessage({ id: 'msg_2', sentAtSeconds, body, secrets: [other, secret] });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    for (const each of [secret, other])
      expect(await verifyWebhook({ body, headers, secret: each })).toEqual(JSON.parse(body));
  });

  it.each([
    ['another body', { body: `${body} ` }],
    ['another secret', { secret: other }],
    ['no headers', { headers: {} }],
    ['an old time', { headers: headersOf(new Date(Date.now() - 3_600_000)) }],
    ['a time in the future', { headers: headersOf(new Date(Date.now() + 3_600_000)) }],
    ['a time that is no number', { headers: { ...headersOf(), 'webhook-timestamp': 'now' } }],
    [
      'a signature of another kind',
      { headers: { ...headersOf(), 'webhook-signature': 'v1a,AAAA !!! v1,%%' } },
    ],
  ])('refuses a message with %s', async (_name, change) => {
    const message = { body, headers: headersOf(), secret, ...change };
    await expect(verifyWebhook(message)).rejects.toThrow(WebhookSignatureError);
  });

  it('refuses a secret of another form', async () => {
    await expect(verifyWebhook({ body, headers: headersOf(), secret: 'abc' })).rejects.toThrow(TypeError);
  });
});
