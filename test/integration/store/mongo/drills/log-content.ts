/** The content type that the processes of the drills write. */
import { catalogOf } from '../../../../support/types.ts';

export const noteType = 'drill.Note';

/** Returns the catalog of the drills. */
export const drillCatalog = () =>
  catalogOf(`type Note @contentType(class: "${noteType}") { text: String @indexed count: Int }`);
