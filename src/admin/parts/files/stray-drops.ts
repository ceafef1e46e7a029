/**
 * Keeps a file that is dropped beside its field from taking the place of the page, which may have unsaved changes.
 */

/** Ignores the drops of files that nothing on the page takes. */
export function ignoreStrayDrops(page: Window): void {
  page.addEventListener('dragover', (event) => {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  });
  page.addEventListener('drop', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
