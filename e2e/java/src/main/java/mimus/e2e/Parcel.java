package mimus.e2e;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** The schema of that name, as the SDKs' typed parsers take it. */
public class Parcel {
    public String reference;
    public State state;
    public List<String> stops;

    /** Where a parcel is. */
    public enum State {
        @JsonProperty("in_transit") IN_TRANSIT,
        @JsonProperty("delivered") DELIVERED
    }
}
