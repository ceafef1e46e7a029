/**
 * The first page: for developers what is broken, and what editors look for.
 */
import { Page } from '../../parts/layout/page.tsx';
import { Refresh, Together } from '../../parts/loading/loading.tsx';
import { useMay } from '../../roles.ts';
import { Attention } from './attention.tsx';
import { Home } from './home.tsx';
import { SetUp } from './set-up.tsx';
import { UnfitContent } from './unfit-content.tsx';

/** The first page of the admin UI. */
export default function HomePage() {
  // What needs attention names the unfit content, too.
  const mayOperate = useMay('developer');
  return (
    <Page title="Home" actions={<Refresh />}>
      <Together>
        {mayOperate && <SetUp />}
        {mayOperate ? <Attention /> : <UnfitContent />}
        <Home />
      </Together>
    </Page>
  );
}
