/**
 * The end of a sign-in in a window of its own, which closes itself where the browser allows it.
 */
import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { NarrowPage } from '../../parts/layout/narrow-page.tsx';
import { isOwnWindow } from './own-window.ts';

export default function SignInDone() {
  useEffect(() => {
    if (isOwnWindow()) window.close();
  }, []);
  return (
    <NarrowPage name="Signed in" title="You are signed in" width={420}>
      <Text size="sm">You can close this window. The page where you worked goes on.</Text>
    </NarrowPage>
  );
}
