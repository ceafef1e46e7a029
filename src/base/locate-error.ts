/**
 * Finds the part of a request that an error is about. The responses of the APIs, batches and imports are all derived from this.
 *
 * The switch covers every code, so a new error code does not compile until it has a case here.
 */
import type { DomainError } from './domain-error.ts';
import type { EditConflict, Problem, PublicationFinding, Referrers } from './problems.ts';

/** The part of a request that an error is about; empty when the error is about the whole request. */
export interface ErrorLocation {
  /** A JSON name in the body, or the name of a parameter. */
  readonly path?: string | undefined;
  /** The column within the predicate, counted from 1. */
  readonly column?: number | undefined;
  /** What is wrong at `path`, worded to follow it. If absent, show the whole message. */
  readonly reason?: string;
  /** All problems of the body; `path` is the path of the first one. */
  readonly problems?: readonly Problem[];
  /** The fields that others have changed, too. */
  readonly conflicts?: readonly EditConflict[];
  /** The assets that keep one from being deleted. */
  readonly referrers?: Referrers;
  /** Why drafts cannot be published. */
  readonly findings?: readonly PublicationFinding[];
}

/** Finds the part of a request that an error is about. */
export function locateError(error: DomainError): ErrorLocation {
  if (error.problems) return { ...ofProblems(error.problems), ...conflictsOf(error) };
  switch (error.code) {
    case 'invalid_body':
    case 'missing_file':
      return ofProblems(error.details.problems);
    case 'invalid_parameter':
      return { path: error.details.parameter, reason: error.details.reason };
    case 'unknown_type':
      return { path: error.details.path, reason: 'names no content type' };
    case 'unknown_field':
      return { path: error.details.path, column: error.details.column };
    case 'predicate_syntax':
    case 'predicate_type':
      return { path: 'where', column: error.details.column };
    case 'cursor_mismatch':
    case 'cursor_expired':
      return { path: 'cursor' };
    case 'values_mismatch':
      return { path: 'values' };
    case 'query_too_costly':
      return { path: error.details.path };
    case 'value_in_use':
      return { path: error.details.field, reason: error.details.reason ?? 'is already in use' };
    case 'id_in_use':
      return { path: '_id', reason: 'is already in use' };
    case 'atomic_unsupported':
      return { path: 'atomic' };
    case 'test_failed':
      return { path: error.details.path, reason: 'does not hold' };
    case 'edit_conflict':
      return {
        path: error.details.conflicts[0]?.path,
        reason: 'has been changed by others, too',
        ...conflictsOf(error),
      };
    case 'referenced':
      return conflictsOf(error);
    case 'publication_refused':
      return { findings: error.details.findings };
    case 'answer_too_large':
    case 'bad_config':
    case 'batch_too_costly':
    case 'bad_types':
    case 'body_too_large':
    case 'body_too_slow':
    case 'broken_mapping':
    case 'cannot_generate':
    case 'check_failed':
    case 'check_running':
    case 'forbidden':
    case 'history_removed':
    case 'idempotency_key_reused':
    case 'in_use':
    case 'invalid_json':
    case 'invitation_ended':
    case 'last_admin':
    case 'limit_exceeded':
    case 'method_not_allowed':
    case 'not_found':
    case 'not_supported':
    case 'openid_user':
    case 'precondition_failed':
    case 'provider_failed':
    case 'release_full':
    case 'route_not_found':
    case 'run_active':
    case 'run_closed':
    case 'run_foreign':
    case 'run_irreversible':
    case 'store_busy':
    case 'store_failure':
    case 'store_full':
    case 'store_gone':
    case 'rate_limited':
    case 'too_many_attempts':
    case 'too_many_requests':
    case 'too_many_streams':
    case 'too_many_values':
    case 'transfer_failed':
    case 'unauthorized':
    case 'unsupported_media_type':
    case 'usage':
    case 'user_disabled':
      return {};
  }
}

function ofProblems(problems: readonly Problem[]): ErrorLocation {
  return { path: problems[0]?.path, problems };
}

function conflictsOf(error: DomainError): Pick<ErrorLocation, 'conflicts' | 'referrers'> {
  if (error.code === 'referenced') {
    const { referrers } = error.details;
    return referrers ? { referrers } : {};
  }
  return error.code === 'edit_conflict' ? { conflicts: error.details.conflicts } : {};
}
