/**
 * What reads of SQLite give while a backfill has copied every field to another name. `test/long` runs the other phases, and the whole
 * store contract.
 */
import { describeFormerNames } from '../../../support/former-names-sqlite.ts';

describeFormerNames('copied');
