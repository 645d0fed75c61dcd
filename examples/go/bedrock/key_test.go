package parcels

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// staticKey is a key that opens nothing.
func staticKey(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "AKIATEST", SecretAccessKey: "test"}, nil
}
