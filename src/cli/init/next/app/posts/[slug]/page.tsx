import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { Byline } from '@/components/byline';
import { Picture } from '@/components/picture';
import { PreviewBar, PreviewEnded } from '@/components/preview-bar';
import { findPost, previewEnded } from '@/lib/content';
import { readPreview, toHref } from '@/lib/preview';

type Props = PageProps<'/posts/[slug]'>;

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { post, preview } = await readPage(props);
  const robots = preview === undefined ? {} : { robots: { index: false } };
  return post && post !== previewEnded ? { title: post.title, ...robots } : robots;
}

export default async function PostPage(props: Props) {
  const { post, path, preview } = await readPage(props);
  if (post === previewEnded) return <PreviewEnded path={path} />;
  if (!post) notFound();
  const { title, cover, body, tags } = post;
  return (
    <>
      {preview && <PreviewBar path={path} />}
      <main>
        <nav>
          <Link href={toHref('/', preview)}>All posts</Link>
        </nav>
        <article>
          <h1>{title}</h1>
          <Byline day={post.day} author={post.author} />
          {cover && <Picture file={cover} />}
          {/* Rich text is the HTML that its authors wrote. Sanitize it if you do not trust them all. */}
          {body && <div dangerouslySetInnerHTML={{ __html: body }} />}
          {tags && <p className="byline">{tags.join(', ')}</p>}
        </article>
      </main>
    </>
  );
}

async function readPage({ params, searchParams }: Props) {
  const { slug } = await params;
  const preview = await readPreview(searchParams);
  return { post: await findPost(slug, preview), path: `/posts/${slug}`, preview };
}
