package openai

// UsualModels are the models of a list that nobody gave, newest first (platform.openai.com/docs/models, Oct 2026).
func (provider) UsualModels() []string {
	return []string{
		"gpt-5.1", "gpt-5", "gpt-5-mini", "gpt-5-nano", "gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano", "gpt-4o", "gpt-4o-mini",
		"o4-mini", "o3", "text-embedding-3-large", "text-embedding-3-small",
	}
}
