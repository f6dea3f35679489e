/** What the page may be made of: the page builds elements of these alone, so no text becomes markup. */
export type Tag =
  | ('a' | 'article' | 'b' | 'blockquote' | 'button' | 'code' | 'div' | 'form' | 'h2' | 'h3' | 'hr')
  | ('i' | 'img' | 'input' | 'label' | 'li' | 'ol' | 'option' | 'p' | 'pre' | 's' | 'select')
  | ('section' | 'small' | 'span' | 'textarea' | 'u' | 'ul');

export type Attribute =
  | ('aria-describedby' | 'aria-invalid' | 'aria-label' | 'class' | 'data-press' | 'for' | 'href')
  | ('id' | 'maxlength' | 'name' | 'placeholder' | 'required' | 'selected' | 'type' | 'value')
  | ('alt' | 'aria-hidden' | 'data-message' | 'download' | 'rows' | 'src');

export type View = string | ViewElement;

export type ViewElement = {
  readonly tag: Tag;
  readonly attributes?: Attributes;
  readonly children?: readonly View[];
};

export type Attributes = Readonly<Partial<Record<Attribute, string>>>;

/** `has`: all its attributes, or the name of its class where it has no other. */
export const element = (
  tag: Tag,
  has: string | Attributes,
  children: readonly View[] = [],
): ViewElement => ({ tag, attributes: typeof has === 'string' ? { class: has } : has, children });
