/**
 * A program that calls every function of the client on a running server and returns a line about each result. It is compiled as
 * a user's program, and runs on any Node and in a browser.
 */
import {
  ColophonError,
  createClient,
  NotFoundError,
  Section,
  where,
} from '../../../generated/client/lib/index.js';

/** The address and credentials of the server. */
export interface Server {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Calls every function of the client; `tag` makes the created assets unique to this run. */
export async function useClient(server: Server, tag: string): Promise<string[]> {
  const cma = createClient(server);
  const lines: string[] = [];
  const report = (what: string, ...facts: unknown[]) => lines.push(`${what}: ${JSON.stringify(facts)}`);

  const created = await cma.createAsset({ _type: 'com.example.news.Author', slug: tag, name: 'Ada' });
  const { _id: id } = created.asset;
  report('created', created.asset.name, created.etag !== '');
  for (const number of [1, 2, 3, 4, 5]) {
    await cma.createAsset({
      _type: 'com.example.news.Section',
      slug: `${tag}-${number}`,
      name: tag,
      order: number,
    });
  }
  const { asset } = await cma.getAsset(id);
  if (asset._type === 'com.example.news.Author') report('read', asset.slug === tag, asset.email);
  report('unchanged', await cma.getAsset(id, { ifNoneMatch: created.etag }));
  await cma.updateAsset(id, { name: 'Ådä & "Œ"' }, { ifMatch: created.etag });
  const { count, items } = await cma.queryAssets({
    from: 'com.example.news.Page',
    where: 'slug startsWith ?',
    values: [tag],
    limit: 2,
  });
  report('found', count, items.length);
  const orders: unknown[] = [];
  const sections = { ...where(Section, (section) => section.name.eq(tag)), pageSize: 2 };
  for await (const { order } of cma.eachAsset(sections)) orders.push(order);
  report('each', orders);
  try {
    await cma.updateAsset(id, { name: 'B' }, { ifMatch: created.etag });
  } catch (error) {
    if (error instanceof ColophonError) report('refused', error.name, error.status, error.code, error.body);
  }
  const { failed, results } = await cma.batchAssets({
    operations: [
      { action: 'upsert', by: 'slug', asset: { _type: 'com.example.news.Author', slug: tag, name: 'Grace' } },
      { action: 'create', asset: { _type: 'com.example.news.Author', slug: tag, name: 'Its twin' } },
    ],
  });
  report(
    'batch',
    failed,
    ...results.map((result) => (result.status === 200 ? result.outcome : result.error.code)),
  );
  await cma.deleteAsset(id);
  const gone = await cma.getAsset(id).catch((error: unknown) => error);
  report('deleted', gone instanceof NotFoundError && [gone.name, gone.code, gone instanceof Error]);
  const reason = new Error('enough');
  const ended = await cma
    .getAsset(id, { signal: AbortSignal.abort(reason) })
    .catch((error: unknown) => error);
  report('ended', ended === reason);
  const bytes = new Uint8Array(3_000_000).fill(65);
  let sent = 0;
  const uploaded = await cma.uploadFile(new File([bytes], 'Ä letters.txt', { type: 'text/plain' }), {
    onProgress(progress) {
      if (progress.total === bytes.length && progress.sent >= sent) sent = progress.sent;
    },
  });
  const { hash, ...file } = uploaded;
  report('uploaded', file, sent);
  const again = await cma.uploadFile(bytes, { name: 'again.txt' });
  report('uploaded again', again.hash === hash, again.name);
  const served = await fetch(cma.fileUrl(uploaded));
  report('served', served.status, (await served.arrayBuffer()).byteLength);
  const pictureUrl = cma.fileUrl({ hash, name: 'a b.png' }, { width: 640, format: 'webp' });
  report('address', pictureUrl === `${server.baseUrl}/files/${hash}/a%20b.png?w=640&f=webp`);
  const wrong = await cma.uploadFile(bytes, { name: '..' }).catch((error: unknown) => error);
  report('refused upload', wrong instanceof ColophonError && [wrong.status, wrong.code, wrong.path]);
  for (const onProgress of [undefined, () => {}]) {
    const signal = AbortSignal.abort(reason);
    const aborted = await cma.uploadFile(bytes, { onProgress, signal }).catch((error: unknown) => error);
    report('ended upload', aborted === reason);
  }
  return lines.map((line) => line.replaceAll(id, '<id>').replaceAll(tag, '<tag>'));
}
