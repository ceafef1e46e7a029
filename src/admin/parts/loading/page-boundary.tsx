/**
 * The error boundary of a page: it replaces a page that failed, so that the rest of the UI stays.
 */
import { Component, type ReactNode } from 'react';
import { LoadFailure } from './load-failure.tsx';
import { PageFailure } from './page-failure.tsx';
import { PageLoadError } from './page-load.ts';

/** Shows its children, or why they failed; another `place` is another chance. */
export class PageBoundary extends Component<{ place: string; children: ReactNode }, Caught> {
  override state: Caught = { caught: undefined, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<Caught> {
    return { caught: { error } };
  }

  static getDerivedStateFromProps({ place }: { place: string }, state: Caught): Partial<Caught> | null {
    return place === state.place ? null : { place, caught: undefined };
  }

  override render(): ReactNode {
    const { caught, place } = this.state;
    if (!caught) return this.props.children;
    if (caught.error instanceof PageLoadError) return <LoadFailure key={place} error={caught.error} />;
    return <PageFailure error={caught.error} onRetry={() => this.setState({ caught: undefined })} />;
  }
}

interface Caught {
  readonly caught: { readonly error: unknown } | undefined;
  readonly place: string;
}
