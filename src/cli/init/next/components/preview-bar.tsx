/** Says that a page is a preview, and leads to the live page. */
export function PreviewBar({ path }: { path: string }) {
  return (
    <p className="bar" role="status">
      This is a preview. <a href={path}>Show the live page</a>
    </p>
  );
}

/** Stands for the content of a preview that has ended. */
export function PreviewEnded({ path }: { path: string }) {
  return (
    <main>
      <h1>This preview has ended</h1>
      <p>
        Its link was revoked or has expired, or its release is published.{' '}
        <a href={path}>Show the live page</a>
      </p>
    </main>
  );
}
