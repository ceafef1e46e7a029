/**
 * The logo: a letter C with the full stop that ends a book.
 */
import { Image } from '@mantine/core';
import logo from '../../logo.svg';

/** The logo, beside the name; `size` is in pixels. */
export function Logo({ size }: { size: number }) {
  return <Image src={logo} alt="" w={size} h={size} />;
}
