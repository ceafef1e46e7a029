/**
 * The page of a new window in which a person signs in by OpenID Connect, while the page that asked for it keeps what was typed there.
 */
import { useEffect, useEffectEvent } from 'react';
import { useAction } from '../../parts/forms/busy-button.tsx';
import { NarrowPage } from '../../parts/layout/narrow-page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { beginOpenidSignIn } from '../../sign-in-methods.ts';
import { markOwnWindow } from './own-window.ts';

export default function BeginSignIn() {
  const { run, error, isPending } = useAction(beginOpenidSignIn);
  const start = useEffectEvent(() => {
    // Whoever comes here by the history of another window has a page to go back to.
    if (window.history.length === 1) markOwnWindow();
    run('/admin/sign-in/done');
  });
  useEffect(() => start(), []);
  return (
    <NarrowPage name="Sign in" title="Sign in to Colophon" width={420}>
      {error && !isPending ? (
        <ProblemAlert error={error} title="Sign-in failed" onRetry={start} />
      ) : (
        <Loading />
      )}
    </NarrowPage>
  );
}
