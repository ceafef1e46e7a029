import { type ImageSetFile, imageSet } from 'colophon-client/routes';

/** Shows a picture in the variant that fits the width of the page. */
export function Picture({ file }: { file: ImageSetFile & { alt?: string | null } }) {
  return (
    <img
      {...imageSet(file, { format: 'webp' })}
      sizes="(min-width: 48rem) 44rem, 100vw"
      alt={file.alt ?? ''}
    />
  );
}
