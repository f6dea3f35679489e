/** Something that is not right, and one sentence on what to do about it. */
export type Trouble = { readonly what: string; readonly remedy: string };

/** What is found out about one area, by its title. */
export class Findings {
  readonly area: string;
  readonly findings: Trouble[] = [];
  /** What is worth knowing and nothing to correct. */
  readonly notes: string[] = [];

  constructor(area: string) {
    this.area = area;
  }

  wrong(what: string, remedy: string): void {
    this.findings.push({ what, remedy });
  }

  note(text: string): void {
    this.notes.push(text);
  }
}

export const reportText = (reports: readonly Findings[]): string => {
  const found = reports.flatMap(({ findings }) => findings).length;
  const last =
    found === 0
      ? 'Nothing to correct.'
      : `${found === 1 ? 'One finding' : `${found} findings`}. Correct what is marked with "!" and run this again.`;
  return [...reports.map(areaText), last].join('\n\n');
};

const areaText = ({ area, findings, notes }: Findings): string =>
  [
    `${area}: ${findings.length === 0 ? 'fine' : 'not right'}`,
    ...findings.flatMap(({ what, remedy }) => [`  ! ${what}`, `    ${remedy}`]),
    ...notes.map((text) => `  ${text}`),
  ].join('\n');
