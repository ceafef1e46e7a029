import Link from 'next/link';
import { Byline } from '@/components/byline';
import { PreviewBar, PreviewEnded } from '@/components/preview-bar';
import { findPosts, previewEnded } from '@/lib/content';
import { readPreview, toHref } from '@/lib/preview';

export default async function Home({ searchParams }: PageProps<'/'>) {
  const preview = await readPreview(searchParams);
  const posts = await findPosts(preview);
  if (posts === previewEnded) return <PreviewEnded path="/" />;
  return (
    <>
      {preview && <PreviewBar path="/" />}
      <main>
        <h1>Blog</h1>
        <ul className="posts">
          {posts?.map(({ slug, title, day, author }) => (
            <li key={slug}>
              <h2>
                <Link href={toHref(`/posts/${slug}`, preview)}>{title}</Link>
              </h2>
              <Byline day={day} author={author} />
            </li>
          ))}
        </ul>
      </main>
    </>
  );
}
