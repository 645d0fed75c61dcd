package anthropic

// UsualModels are the models of a list that nobody gave, newest first (platform.claude.com/docs/models, Oct 2026).
func (provider) UsualModels() []string {
	return []string{"claude-opus-5-5", "claude-opus-5", "claude-sonnet-4-5-20250929", "claude-haiku-4-5-20251001"}
}
