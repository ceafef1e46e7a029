import Link from 'next/link';

export default function NotFound() {
  return (
    <main>
      <h1>There is no such page</h1>
      <p>
        <Link href="/">All posts</Link>
      </p>
    </main>
  );
}
