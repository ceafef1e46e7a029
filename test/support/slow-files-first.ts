/** The order of test files: those that take minutes, mostly waiting, begin first, so that the run does not end with them alone. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slow files, and the beginnings of their paths, below `test/`. */
const slow = [
  'contract/published/',
  'contract/contract-suite/own-instance',
  'contract/generators/',
  'contract/guide',
  'property/stores-agree',
  'contract/http/cma/cma',
  'contract/store/mongo',
  'contract/http/admin/admin',
  'contract/transfer/resume',
  'browser/every-page',
  'contract/http/routes/routes',
];

/** Sorts as Vitest does, by size, with the slow files before all others. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      slow.some((path) => moduleId.includes(`/test/${path}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
