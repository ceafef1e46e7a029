/** The store contract on SQLite where every field has a former name, in the phases of a backfill that `test/contract` leaves out. */
import { describeFormerNames } from '../support/former-names-sqlite.ts';

describeFormerNames();
describeFormerNames('copying');
describeFormerNames('removing');
describeFormerNames('withdrawing');
